// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/trace_options.hpp"

#include <fmt/format.h>

#include "terrane/machine/event_choice.hpp"

namespace terrane {

result<void> read_events(std::string_view text, run_options& into) {
  const auto read = read_event_classes(text);
  if (!read) return error{read.problem()};
  into.traced = read.value();
  return {};
}

result<void> read_full_trace(std::string_view text, run_options& into) {
  if (text != "drop" && text != "wait")
    return error{fmt::format("takes drop or wait, not '{}'", text)};
  into.when_full = text == "drop" ? full_trace::drop : full_trace::wait;
  return {};
}

}  // namespace terrane
