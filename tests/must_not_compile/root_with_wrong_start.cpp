// SPDX-License-Identifier: Apache-2.0
// expect: the root of a program is a struct with step start\(int argc, char\*\* argv\)
#include "terrane/terrane.hpp"

struct main_activation : terrane::threaded<main_activation> {
#ifndef CURED
  terrane::step start(int) { return done; }
#else
  terrane::step start(int, char**) { return done; }
#endif
};
int main(int argc, char** argv) { return terrane::run<main_activation>(argc, argv); }
