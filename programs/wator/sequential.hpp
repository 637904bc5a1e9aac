// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: the twin of wator: one region, whose neighbours are itself.
#pragma once

#include <algorithm>
#include <vector>

#include "programs/wator/wator.hpp"

namespace terrane::programs {

inline sea_outcome wator_sequential(std::uint64_t seed, int steps, int side) {
  const sea_place whole{seed, side, 0, 0, side, side};
  std::vector<sea_cell> memory(sea_region::bytes(whole));
  sea_region sea(whole, memory.data());
  sea_outcome outcome;
  for (int step = 0; step <= steps; ++step) {
    if (step % 10 == 0) outcome.every_ten_steps.push_back(sea.count());
    if (step == steps) break;
    for (const creature kind : {fish, shark}) {
      constexpr int h = sea_region::halo;
      for (int y = -h; y < side + h; ++y)
        for (int x = -h; x < side + h; ++x)
          sea.at(y, x) = sea.at((y + side) % side, (x + side) % side);
      sea.move_all(kind, step);
    }
  }
  for (int y = 0; y < side; ++y) outcome.hash({&sea.at(y, 0), static_cast<std::size_t>(side)});
  return outcome;
}

}  // namespace terrane::programs
