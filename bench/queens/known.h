// SPDX-License-Identifier: Apache-2.0
// known.h: queens' known answers for boards of 1 to 16.
//
// Source      Solutions: the integer sequence A000170. Placements: counted with bit masks, without
//             the kernel that they verify.
#ifndef TERRANE_BENCH_QUEENS_KNOWN_H
#define TERRANE_BENCH_QUEENS_KNOWN_H

#include "bench/queens/kernel.h"
#include "bench/report.h"

/// answer: solutions. tasks: legal placements, full boards included; the empty board is not one.
static inline struct bench_known queens_known(int n) {
  static const struct bench_known known[queens_n_max] = {
      {1, 1},
      {0, 2},
      {0, 5},
      {2, 16},
      {10, 53},
      {4, 152},
      {40, 551},
      {92, 2056},
      {352, 8393},
      {724, 35538},
      {2680, 166925},
      {14200, 856188},
      {73712, 4674889},
      {365596, 27358552},
      {2279184, 171129071},
      {14772512, 1141190302},
  };
  return known[n - 1];
}

#endif
