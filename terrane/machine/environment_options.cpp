// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "terrane/machine/options.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

result<parsed_options> environment_options(const run_options& defaults) {
  const char* given = std::getenv(options_variable);
  const auto wrong = [](std::string_view why) {
    return error{fmt::format("in the environment variable {}: {}", options_variable, why)};
  };
  const auto words = split_words(given ? given : "");
  if (!words) return wrong(words.problem());
  auto parsed = parse_options(words.value(), defaults, "");
  if (!parsed) return wrong(parsed.problem());
  if (!parsed.value().help.empty()) return wrong("--help belongs on the command line");
  if (!parsed.value().rest.empty())
    return wrong(fmt::format("'{}' is no option", parsed.value().rest.front()));
  return parsed;
}

}  // namespace terrane
