// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node
#include "terrane/threads.hpp"

#ifndef CURED
long first(terrane::global_ptr<long*> place) { return **place; }
#else
long first(terrane::global_ptr<terrane::global_ptr<long>> place) { return *(*place).read(); }
#endif
