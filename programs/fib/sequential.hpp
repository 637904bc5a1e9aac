// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: fib in plain C++, call by call.
#pragma once

namespace terrane::programs {

inline long fib_sequential(int n) {
  return n <= 1 ? 1 : fib_sequential(n - 1) + fib_sequential(n - 2);
}

}  // namespace terrane::programs
