// SPDX-License-Identifier: Apache-2.0
// expect: a frame is aligned to 16 bytes: put the member behind a pointer
#include "terrane/terrane.hpp"

struct wide : terrane::threaded<wide> {
#ifndef CURED
  alignas(64) double cells[8];
#else
  alignas(16) double cells[8];
#endif
  terrane::step start(int) { return done; }
};
template struct terrane::activation<wide, false>;
