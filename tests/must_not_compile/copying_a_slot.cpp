// SPDX-License-Identifier: Apache-2.0
// expect: deleted .*terrane::slot
#include "terrane/terrane.hpp"

struct mine : terrane::threaded<mine> {
  terrane::slot all = on<&mine::finish>(1);
  terrane::step start(int) {
#ifndef CURED
    terrane::slot mine_too = all;
    signal(mine_too);
#else
    terrane::slot& mine_too = all;
    signal(mine_too);
#endif
    return wait;
  }
  terrane::step finish() { return done; }
};
template struct terrane::activation<mine, false>;
