// SPDX-License-Identifier: Apache-2.0
#include "programs/jacobi/grid.hpp"

namespace terrane::jacobi {

block::block(const problem& about, int first, int last, std::pmr::memory_resource* memory)
    : about_(about),
      first_(first),
      last_(last),
      points_(static_cast<std::size_t>(about.n)),
      values_{std::pmr::vector<double>(memory), std::pmr::vector<double>(memory)},
      sources_(memory) {
  const std::size_t all = static_cast<std::size_t>(last - first + 2) * points_;
  values_[0].resize(all);
  values_[1].resize(all);
  sources_.resize(all);
  for (int j = first - 1; j <= last; ++j)
    for (int i = 1; i <= about.n; ++i) {
      const std::size_t at =
          static_cast<std::size_t>(j - first + 1) * points_ + static_cast<std::size_t>(i - 1);
      values_[0][at] = values_[1][at] = first_value(i, j);
      sources_[at] = source(i, j);
    }
}

void block::relax(int q, int from, int to, int processors) {
  const double w = about_.omega();
  std::uint64_t computed = 0;
  for (int j = from; j < to; ++j) {
    const double *const left = column(q, j - 1), *const mine = column(q, j),
                        *const right = column(q, j + 1);
    const double* const f = sources_.data() + static_cast<std::size_t>(j - first_ + 1) * points_;
    double* const out = column(q + 1, j);
    const int times = about_.times(j, processors);
    for (int again = 0; again < times; ++again) {
      for (std::size_t i = 1; i + 1 < points_; ++i)
        out[i] =
            (1 - w) * mine[i] + w * 0.25 * (f[i] + mine[i - 1] + mine[i + 1] + right[i] + left[i]);
      asm volatile("" ::: "memory");  // each of the times is computed
    }
    computed += static_cast<std::uint64_t>(times) * (points_ - 2);
  }
  charge(jacobi_point, computed);
}

void gathering::add(std::span<const double> column) {
  print_.add(column.data(), column.size_bytes());
  for (const double each : column) sum_ += each;
}

}  // namespace terrane::jacobi
