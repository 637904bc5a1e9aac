// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: remote_sum in plain C++, where nothing is remote.
#pragma once

namespace terrane::programs {

inline int remote_sum_sequential() {
  const int x = 20, y = 22;
  return x + y;
}

}  // namespace terrane::programs
