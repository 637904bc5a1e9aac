// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/bounded_text.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace terrane {

void bounded_text::add(const char* what, va_list arguments) {
  const int bytes = std::vsnprintf(text_ + used_, sizeof text_ - used_, what, arguments);
  if (bytes > 0) used_ = std::min(used_ + static_cast<std::size_t>(bytes), sizeof text_ - 1);
}

void bounded_text::add(const char* what, ...) {
  va_list arguments;
  va_start(arguments, what);
  add(what, arguments);
  va_end(arguments);
}

void end_with_sentence(const char* sentence, int exit_code) {
  std::fflush(stdout);
  std::fprintf(stderr, "terrane: %s\n", sentence);
  std::fflush(stderr);
  std::_Exit(exit_code);
}

}  // namespace terrane
