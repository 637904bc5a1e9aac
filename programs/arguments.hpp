// SPDX-License-Identifier: Apache-2.0
// arguments.hpp: a program's own arguments: whole numbers, in the order of its usage line.
//
//   program_arguments given(argc, argv);
//   n = given.number("N", {.otherwise = 33, .least = 0, .most = 90});
//   if (!given.complete()) return done;
//
// Errors  The first wrong one: one sentence on stderr that names program, argument and range, and
//         exit code 2.
#pragma once

#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>

#include "terrane/terrane.hpp"

namespace terrane {

struct number_range {
  int otherwise, least, most;
};

class program_arguments {
 public:
  /// By the root of a program, in its start.
  program_arguments(int argc, char** argv) : count_(argc), words_(argv) {}

  /// The next argument; `otherwise` when there is none, or one before it was wrong.
  int number(const char* name, number_range range) {
    if (!usage_.empty()) usage_ += ' ';
    usage_ += name;
    if (wrong_ || next_ >= count_) return range.otherwise;
    const std::string_view text = words_[next_++];
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    if (whole && value >= range.least && value <= range.most) return value;
    refuse("%s must be a whole number from %d to %d, not '%s'", name, range.least, range.most,
           text.data());
    return range.otherwise;
  }

  /// True if all were right and none is left over. Otherwise the root is to end.
  bool complete() {
    if (!wrong_ && next_ < count_)
      refuse("'%s' is one argument too many: it takes %s", words_[next_],
             usage_.empty() ? "none" : usage_.c_str());
    return !wrong_;
  }

 private:
  [[gnu::format(printf, 2, 3)]] void refuse(const char* sentence, ...) {
    const std::string_view path = count_ > 0 ? words_[0] : "program";
    const std::string name(path.substr(path.rfind('/') + 1));
    std::fprintf(stderr, "%s: ", name.c_str());
    std::va_list values;
    va_start(values, sentence);
    std::vfprintf(stderr, sentence, values);
    va_end(values);
    std::fputc('\n', stderr);
    set_exit_code(2);
    wrong_ = true;
  }

  const int count_;
  char** const words_;
  int next_ = 1;
  bool wrong_ = false;
  std::string usage_;
};

}  // namespace terrane
