// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace terrane {

void check_failed(const char* condition, const char* file, int line) {
  std::fflush(stdout);
  std::fprintf(stderr, "terrane: internal error at %s:%d: expected %s\n", file, line, condition);
  std::abort();
}

}  // namespace terrane
