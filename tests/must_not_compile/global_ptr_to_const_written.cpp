// SPDX-License-Identifier: Apache-2.0
// expect: a global_ptr<const T> is for reading
#include "terrane/threads.hpp"

#ifndef CURED
void set(terrane::global_ptr<const long> place) { *place = 1; }
#else
void set(terrane::global_ptr<long> place) { *place = 1; }
#endif
