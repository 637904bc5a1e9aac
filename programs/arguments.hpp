// SPDX-License-Identifier: Apache-2.0
// arguments.hpp: a program's own arguments: whole numbers, in the order of its usage line.
//
//   program_arguments given(argc, argv);
//   n = given.number("N", {.otherwise = 33, .least = 0, .most = 90});
//   if (!given.complete()) return done;
//
// Errors  as of arguments.h, which does the work.
#pragma once

#include "programs/arguments.h"

namespace terrane {

struct number_range {
  int otherwise, least, most;
};

class program_arguments {
 public:
  /// By the root of a program, in its start.
  program_arguments(int argc, char** argv) : given_{argc, argv, 0, false, ""} {}

  /// The next argument; `otherwise` if there is none, or an earlier one was wrong.
  int number(const char* name, number_range range) {
    return read_number(&given_, name, range.otherwise, range.least, range.most);
  }

  /// True if all were right and none is left over. Otherwise the root must end.
  bool complete() { return arguments_complete(&given_); }

 private:
  argument_reader given_;
};

}  // namespace terrane
