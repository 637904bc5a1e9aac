// SPDX-License-Identifier: Apache-2.0
// arguments.hpp: a program's own arguments: whole numbers, with a sentence and exit code 2 for
// wrong ones.
#pragma once

#include <charconv>
#include <cstdio>
#include <string_view>

#include "terrane/terrane.hpp"

namespace terrane {

struct number_range {
  int otherwise, least, most;  // least >= 0
};

/// argv[index] as a number, or `otherwise` when it is not there. A wrong one: says so on stderr,
/// sets the exit code to 2 and returns -1; the root then ends.
inline int number_argument(int argc, char** argv, int index, const char* name, number_range range) {
  if (index >= argc) return range.otherwise;
  const std::string_view text = argv[index];
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= range.least &&
      number <= range.most)
    return number;
  std::fprintf(stderr, "%s: %s must be a whole number from %d to %d, not '%s'\n", argv[0], name,
               range.least, range.most, argv[index]);
  set_exit_code(2);
  return -1;
}

}  // namespace terrane
