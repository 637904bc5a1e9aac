// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: paraffins in plain C++: every combination of radicals, by nested loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace terrane::programs {

/// Paraffins by their carbon atoms, and a sum over all of them.
struct paraffins_answer {
  std::vector<long> number;
  std::uint64_t sum = 0;
};

/// A radical is known by a number drawn from those of its own three.
using paraffins_radicals = std::vector<std::vector<std::uint32_t>>;  // by their size

/// Visits every ordered choice of `parts` radicals from (size, number) on, with `atoms` atoms
/// together, none above size_max: visit(sum of all but the last, the candidates for the last).
template <class Visit>
void choose_radicals(const paraffins_radicals& all, int parts, int atoms, int size_max, int size,
                     std::size_t number, std::uint32_t so_far, const Visit& visit) {
  for (int k = size; k <= size_max && k * parts <= atoms; ++k) {
    const std::span<const std::uint32_t> of_size(all[static_cast<std::size_t>(k)]);
    const std::size_t first = k == size ? number : 0;
    if (parts > 1)
      for (std::size_t i = first; i < of_size.size(); ++i)
        choose_radicals(all, parts - 1, atoms - k, size_max, k, i, so_far + of_size[i], visit);
    else if (k == atoms)
      visit(so_far, of_size.subspan(first));
  }
}

inline std::uint32_t paraffins_draw(std::uint32_t of) {
  of = (of ^ of >> 15) * 0x2c1b3c6du + 1;
  return of ^ of >> 12;
}

inline paraffins_answer paraffins_sequential(int n) {
  paraffins_radicals radicals{{1}};  // hydrogen
  for (int size = 1; size <= n / 2; ++size) {
    std::vector<std::uint32_t> made;
    choose_radicals(radicals, 3, size - 1, size - 1, 0, 0, 0,
                    [&](std::uint32_t two, std::span<const std::uint32_t> third) {
                      for (const std::uint32_t each : third)
                        made.push_back(paraffins_draw(two + each));
                    });
    radicals.push_back(made);
  }
  paraffins_answer all{std::vector<long>(static_cast<std::size_t>(n) + 1, 0)};
  for (int atoms = 1; atoms <= n; ++atoms) {
    const auto count = [&](std::uint32_t others, std::span<const std::uint32_t> last) {
      std::uint64_t sum = 0;
      for (const std::uint32_t each : last) sum += (others + each) ^ (others + each) >> 13;
      all.number[static_cast<std::size_t>(atoms)] += static_cast<long>(last.size());
      all.sum += sum;
    };
    choose_radicals(radicals, 4, atoms - 1, (atoms - 1) / 2, 0, 0, 0, count);
    if (atoms % 2 == 0) choose_radicals(radicals, 2, atoms, atoms / 2, atoms / 2, 0, 0, count);
  }
  return all;
}

}  // namespace terrane::programs
