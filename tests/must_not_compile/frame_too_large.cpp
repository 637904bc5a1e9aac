// SPDX-License-Identifier: Apache-2.0
// expect: a frame holds at most 1 MiB: put large members behind a std::unique_ptr
#include <array>
#include <memory>

#include "terrane/terrane.hpp"

struct large : terrane::threaded<large> {
#ifndef CURED
  std::array<double, 131'072> cells;
#else
  std::unique_ptr<std::array<double, 131'072>> cells;
#endif
  terrane::step start(int) { return done; }
};
template struct terrane::activation<large, false>;
