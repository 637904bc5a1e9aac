// SPDX-License-Identifier: Apache-2.0
// expect: an answer crosses nodes: its type must be position-independent
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
#ifndef CURED
  int* answer;
#else
  terrane::global<int> answer;
#endif
  terrane::join all = on<&child::finish>();
  terrane::step start(int) {
    (void)all.into(answer);
    return await(all);
  }
  terrane::step finish() { return done; }
};
template struct terrane::activation<child, false>;
