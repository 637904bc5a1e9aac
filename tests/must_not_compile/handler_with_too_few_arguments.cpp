// SPDX-License-Identifier: Apache-2.0
// expect: post takes the handler's parameters, all
#include "terrane/threads.hpp"

void take(long, long) {}
#ifndef CURED
void tell() { terrane::post<take>(1, 2L); }
#else
void tell() { terrane::post<take>(1, 2L, 3L); }
#endif
