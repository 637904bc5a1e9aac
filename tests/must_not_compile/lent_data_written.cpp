// SPDX-License-Identifier: Apache-2.0
// expect: what is lent is for reading: its owner writes in its own data
#include <vector>

#include "terrane/threads.hpp"

#ifndef CURED
void set(terrane::lent<long> shared, std::vector<long>&) { shared[3] = 1; }
#else
void set(terrane::lent<long> shared, std::vector<long>& own) {
  own[3] = 1;
  shared.renew();
}
#endif
