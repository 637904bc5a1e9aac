// SPDX-License-Identifier: Apache-2.0
// expect: no matching function for call to .put
// expect: wire_value
#include "terrane/terrane.hpp"

struct mine : terrane::threaded<mine> {
  terrane::step start(int) {
#ifndef CURED
    int* value = nullptr;
    terrane::put(value, terrane::to_global(value), {});
#else
    int value = 0;
    terrane::put(value, terrane::to_global(value), {});
#endif
    return done;
  }
};
template struct terrane::activation<mine, false>;
