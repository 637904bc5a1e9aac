// SPDX-License-Identifier: Apache-2.0
// expect: a reference means nothing on another node: take the parameter by value
#include "terrane/threads.hpp"

long kept;
#ifndef CURED
long& kept_one(int) { return kept; }
#else
long kept_one(int) { return kept; }
#endif

long ask() { return terrane::spawn(kept_one, 7).join(); }
