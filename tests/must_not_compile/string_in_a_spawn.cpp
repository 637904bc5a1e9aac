// SPDX-License-Identifier: Apache-2.0
// expect: what crosses to another node must be trivially copyable: send its parts
#include <string>

#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
#ifndef CURED
  terrane::step start(std::string) { return done; }
#else
  terrane::step start(terrane::global<std::string>) { return done; }
#endif
};
struct parent : terrane::threaded<parent> {
  std::string text;
  terrane::step start(int) {
#ifndef CURED
    spawn<child>(text);
#else
    spawn<child>(terrane::to_global(text));
#endif
    return done;
  }
};
template struct terrane::activation<parent, false>;
