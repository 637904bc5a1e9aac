// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: reduce in plain C++.
#pragma once

namespace terrane::programs {

inline long reduce_sequential(int processors) {
  long total = 0;
  for (int i = 0; i < processors; ++i) total += i;
  return total;
}

}  // namespace terrane::programs
