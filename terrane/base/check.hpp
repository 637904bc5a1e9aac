// SPDX-License-Identifier: Apache-2.0
// check.hpp: broken invariants of the runtime itself end the process with file and line.
//
// Not for what a program or the outside world does wrong: those are run-time errors
// (core/failure.hpp) and results (base/result.hpp).
#pragma once

namespace terrane {

[[noreturn, gnu::cold]] void check_failed(const char* condition, const char* file, int line);

}  // namespace terrane

#define TERRANE_CHECK(condition)               \
  (__builtin_expect(!!(condition), 1) ? void() \
                                      : ::terrane::check_failed(#condition, __FILE__, __LINE__))
