// SPDX-License-Identifier: Apache-2.0
// expect: fiber priorities go from 0 \(first\) to 7 \(last\)
#include "terrane/terrane.hpp"

struct mine : terrane::threaded<mine> {
#ifndef CURED
  terrane::slot all = on<&mine::finish, 8>(1);
#else
  terrane::slot all = on<&mine::finish, 7>(1);
#endif
  terrane::step start(int) { return wait; }
  terrane::step finish() { return done; }
};
template struct terrane::activation<mine, false>;
