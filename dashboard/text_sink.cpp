// SPDX-License-Identifier: Apache-2.0
#include "dashboard/text_sink.hpp"

#include <nlohmann/json.hpp>

namespace terrane {

std::string json_text(std::string_view text) {
  const std::string plain =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  for (const char letter : plain) {
    if (letter == '<')
      safe += "\\u003c";
    else
      safe += letter;
  }
  return safe;
}

}  // namespace terrane
