// SPDX-License-Identifier: Apache-2.0
// expect: (no matching function|constraints? not satisfied)
#include "terrane/terrane.hpp"

struct extent {
  long least, most;
};
template <>
inline constexpr bool terrane::position_independent<extent> = true;
void widen(extent& into, const extent& value) {
  if (value.least < into.least) into.least = value.least;
  if (value.most > into.most) into.most = value.most;
}

void make(terrane::global<extent> result, terrane::slot_ref done) {
#ifndef CURED
  terrane::reduction<extent>::make(TERRANE_SUM, 4, result, done);
#else
  terrane::reduction<extent>::make<widen>(4, result, done);
#endif
}
