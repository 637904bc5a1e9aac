// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node: pass a terrane::global<T>
#include "terrane/threads.hpp"

#ifndef CURED
void take(const long*) {}
void tell(const long* value) { terrane::post<take>(1, value); }
#else
void take(long) {}
void tell(const long* value) { terrane::post<take>(1, *value); }
#endif
