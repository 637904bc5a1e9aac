// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: tsp in plain C++: every tour, city by city.
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane::programs {

using tsp_distances = std::vector<std::vector<int>>;

/// Distances between the home city 0 and n others, with coordinates from 0 to 999.
inline tsp_distances tsp_map(int n) {
  std::uint32_t state = 1;
  const auto next = [&] {
    state = (state * 1103515245u + 12345u) & 0x7fffffffu;
    return static_cast<double>((state >> 16) % 1000);
  };
  std::vector<double> x, y;
  for (int i = 0; i <= n; ++i) {
    x.push_back(next());
    y.push_back(next());
  }
  tsp_distances all(x.size(), std::vector<int>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      all[i][j] = static_cast<int>(std::hypot(x[i] - x[j], y[i] - y[j]) + 0.5);
  return all;
}

/// The length of the shortest way home through all cities of the mask `left`.
inline int shortest_way_home(const tsp_distances& distance, std::size_t here, unsigned left) {
  if (left == 0) return distance[here][0];
  int best = INT_MAX;
  for (std::size_t city = 1; city < distance.size(); ++city)
    if (left >> city & 1)
      best = std::min(
          best, distance[here][city] + shortest_way_home(distance, city, left & ~(1u << city)));
  return best;
}

inline int tsp_sequential(int n) { return shortest_way_home(tsp_map(n), 0, (1u << (n + 1)) - 2); }

}  // namespace terrane::programs
