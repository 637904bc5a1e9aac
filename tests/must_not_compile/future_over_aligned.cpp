// SPDX-License-Identifier: Apache-2.0
// expect: the arguments of a token are aligned to 8 bytes: take the value apart
#include "terrane/threads.hpp"

#ifndef CURED
struct alignas(32) row {
#else
struct row {
#endif
  double values[4];
};
template <>
inline constexpr bool terrane::position_independent<row> = true;

double first(row of) { return of.values[0]; }
double ask() { return terrane::spawn(first, row{}).join(); }
