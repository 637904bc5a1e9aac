// SPDX-License-Identifier: Apache-2.0
// expect: (use of deleted function|overload resolution selected deleted operator)
#include "terrane/threads.hpp"

#ifndef CURED
auto address(terrane::global_ptr<long> place) { return &*place; }
#else
auto address(terrane::global_ptr<long> place) { return place; }
#endif
