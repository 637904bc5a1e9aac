// SPDX-License-Identifier: Apache-2.0
// expect: (cannot convert|no viable conversion|no known conversion).*board
#include "terrane/terrane.hpp"

struct board {
  int rows;
};

void give(terrane::channel<int> way, const board& mine, terrane::slot_ref sent) {
#ifndef CURED
  way.send(mine, sent);
#else
  way.send(mine.rows, sent);
#endif
}
