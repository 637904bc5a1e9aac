// SPDX-License-Identifier: Apache-2.0
// expect: (could not convert|no matching conversion).*terrane::reply<int>
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
  terrane::step start(terrane::reply<long> to) {
    to.send(1);
    return done;
  }
};
struct parent : terrane::threaded<parent> {
#ifndef CURED
  int answer;
#else
  long answer;
#endif
  terrane::join all = on<&parent::finish>();
  terrane::step start(int) {
    spawn<child>(all.into(answer));
    return await(all);
  }
  terrane::step finish() { return done; }
};
template struct terrane::activation<parent, false>;
