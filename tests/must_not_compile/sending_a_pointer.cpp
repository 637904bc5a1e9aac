// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node
#include "terrane/chant.hpp"

#ifndef CURED
void tell(terrane::thread_id other, int* value) { terrane::send(other, 7, value); }
#else
void tell(terrane::thread_id other, const int* value) { terrane::send(other, 7, *value); }
#endif
