// SPDX-License-Identifier: Apache-2.0
// main.cpp: the command `terrane`: passes the words after a subcommand's name to its function.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tools/terrane/command.hpp"

namespace terrane {

namespace {

bool asks_for_help(std::string_view word) { return word == "--help" || word == "-h"; }

int answer(const words& all) {
  if (all.empty()) {
    std::fputs(help_of_all().c_str(), stderr);
    return 2;
  }
  const std::string& first = all.front();
  const words rest(all.begin() + 1, all.end());
  if (asks_for_help(first)) return help_command(rest);
  if (first == "--version") {
    if (!rest.empty()) return refuse(fmt::format("--version stands alone, not with '{}'", rest[0]));
    std::puts("terrane " TERRANE_VERSION);
    return 0;
  }
  const subcommand* which = find_subcommand(first);
  if (!which) return refuse_subcommand(first);
  if (!rest.empty() && asks_for_help(rest[0])) return help_of(*which);
  if (!rest.empty() && which->arguments.empty())
    return refuse(fmt::format("{} takes no arguments, not even '{}'", first, rest[0]));
  return which->run(rest);
}

}  // namespace

}  // namespace terrane

int main(int argc, char** argv) {
  const int code = terrane::answer(terrane::words(argv + (argc > 0 ? 1 : 0), argv + argc));
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  std::fprintf(stderr, "terrane: could not write to stdout: %s\n", std::strerror(errno));
  return code != 0 ? code : 1;
}
