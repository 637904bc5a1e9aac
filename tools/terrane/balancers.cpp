// SPDX-License-Identifier: Apache-2.0
// balancers.cpp: terrane balancers: prints every policy, what it does and its parameters.
#include "terrane/balance/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "terrane/machine/options.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

namespace {

constexpr std::size_t columns_max = 80, name_columns = 10;

/// `text` broken into lines. All lines but the first begin with `indent` blanks.
std::string filled(std::string_view text, std::size_t indent) {
  const std::size_t room = columns_max - indent;
  std::string lines;
  while (text.size() > room) {
    const std::size_t end = text.rfind(' ', room);
    if (end == text.npos) break;
    lines += fmt::format("{}\n{:<{}}", text.substr(0, end), "", indent);
    text.remove_prefix(end + 1);
  }
  return lines.append(text);
}

std::string parameters_of(const balancer_entry& entry) {
  std::string text;
  for (std::string_view lines = entry.parameters; !lines.empty();) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text += fmt::format("{:<{}}{}\n", "", name_columns + 2, lines.substr(0, end));
    lines.remove_prefix(std::min(lines.size(), end + 1));
  }
  return text;
}

int explain(const std::string& name) {
  for (const balancer_entry& each : balancers()) {
    if (each.name != name) continue;
    std::fputs(std::string(each.head).c_str(), stdout);
    return 0;
  }
  return refuse(fmt::format("there is no balancer '{}' (see terrane balancers)", name));
}

}  // namespace

int balancers_command(const words& arguments) {
  if (arguments.size() > 1)
    return refuse(fmt::format("balancers takes one name, not also '{}'", arguments[1]));
  if (!arguments.empty()) return explain(arguments[0]);
  std::string text;
  for (const balancer_entry& each : balancers())
    text += fmt::format("{:<{}}{}\n{}", each.name, name_columns, filled(each.summary, name_columns),
                        parameters_of(each));
  text += fmt::format(
      "\nTo choose one: terrane run --balancer NAME ({} unless told otherwise).\n"
      "Parameters follow a colon: --balancer rand:probes=2,threshold=8\n"
      "The four phases of one and where the paper has it: terrane balancers NAME\n"
      "One of your own: --balancer ./mine.so (docs/write-a-balancer.md)\n",
      run_options().balancer);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace terrane
