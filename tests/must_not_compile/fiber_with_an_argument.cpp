// SPDX-License-Identifier: Apache-2.0
// expect: a fiber is a member `step name\(\)` of the struct that declares the slot
#include "terrane/terrane.hpp"

struct mine : terrane::threaded<mine> {
  terrane::join all = on<&mine::finish>();
  terrane::step start(int) { return await(all); }

#ifndef CURED
  terrane::step finish(int) { return done; }
#else
  terrane::step finish() { return done; }
#endif
};
template struct terrane::activation<mine, false>;
