// SPDX-License-Identifier: Apache-2.0
// bounded_text.hpp: a sentence put together in place, for when nothing may be allocated.
#pragma once

#include <cstdarg>
#include <cstddef>

namespace terrane {

/// What does not fit is left out.
class bounded_text {
 public:
  [[gnu::format(printf, 2, 3)]] void add(const char* what, ...);
  [[gnu::format(printf, 2, 0)]] void add(const char* what, va_list arguments);
  const char* c_str() const { return text_; }

 private:
  char text_[4096] = {};
  std::size_t used_ = 0;
};

/// Prints `terrane: SENTENCE` on stderr after all of stdout, and ends the process.
[[noreturn]] void end_with_sentence(const char* sentence, int exit_code);

}  // namespace terrane
