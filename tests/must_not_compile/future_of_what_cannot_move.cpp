// SPDX-License-Identifier: Apache-2.0
// expect: the result of a future is moved to the joiner: return a type that can be moved
#include "terrane/threads.hpp"

struct fixed {
  explicit fixed(int) {}
#ifndef CURED
  fixed(fixed&&) = delete;
#endif
};

fixed make(int number) { return fixed(number); }
void ask() { terrane::spawn<make>(7).join(); }
