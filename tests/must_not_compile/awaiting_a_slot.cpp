// SPDX-License-Identifier: Apache-2.0
// expect: (cannot convert|cannot bind|no known conversion).*terrane::slot
#include "terrane/terrane.hpp"

struct mine : terrane::threaded<mine> {
  terrane::slot all = on<&mine::finish>(1);
  terrane::step start(int) {
#ifndef CURED
    return await(all);
#else
    return wait;
#endif
  }
  terrane::step finish() { return done; }
};
template struct terrane::activation<mine, false>;
