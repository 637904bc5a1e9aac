// SPDX-License-Identifier: Apache-2.0
// expect: (no viable conversion|could not convert|conversion from)
#include "terrane/threads.hpp"

#ifndef CURED
terrane::global_ptr<int> narrowed(terrane::global_ptr<long> place) { return place; }
#else
terrane::global_ptr<long> same(terrane::global<long> place) { return place; }
#endif
