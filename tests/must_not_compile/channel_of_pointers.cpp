// SPDX-License-Identifier: Apache-2.0
// expect: constraints? (not satisfied|failure)
#include "terrane/terrane.hpp"

#ifndef CURED
terrane::channel<int*> way;
#else
terrane::channel<terrane::global<int>> way;
#endif
