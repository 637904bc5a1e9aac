// SPDX-License-Identifier: Apache-2.0
// expect: a fiber is a member `step name\(\)` of the struct that declares the slot
#include "terrane/terrane.hpp"

struct other : terrane::threaded<other> {
  terrane::step start(int) { return done; }
  terrane::step finish() { return done; }
};
struct mine : terrane::threaded<mine> {
#ifndef CURED
  terrane::slot all = on<&other::finish>(1);
#else
  terrane::slot all = on<&mine::finish>(1);
#endif
  terrane::step start(int) { return wait; }
  terrane::step finish() { return done; }
};
template struct terrane::activation<mine, false>;
