// SPDX-License-Identifier: Apache-2.0
// grid.hpp: Jacobi relaxation of [CHANT §3.1]: the points, and the blocks of columns of a
// processor.
//
// Layout      N x N points, of which the outermost stay as they are. A column J lies in one piece,
//             its points I = 1 ... N behind one another, as in Fortran. Columns 2 ... N - 1 are
//             divided into blocks of nearly equal size.
// Invariants  A point is computed by the expression of the paper, in its order, without fused
//             operations: so all versions have the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "programs/fingerprint.hpp"
#include "terrane/terrane.hpp"

namespace terrane::jacobi {

/// What the arguments say.
struct problem {
  int n = 514, iterations = 20, per_mille = 1000, boundary = 1, load = 1, members = 1;

  double omega() const { return per_mille / 1000.0; }
  /// The first column of block b of so many; that of block `blocks` is N.
  int first_column(int b, int blocks) const {
    return 2 + static_cast<int>(static_cast<long>(n - 2) * b / blocks);
  }
  /// How often the points of a column are computed: L times where processor min(4, P - 1) began.
  int times(int column, int processors) const {
    const int loaded = processors - 1 < 4 ? processors - 1 : 4;
    const bool is_loaded =
        column >= first_column(loaded, processors) && column < first_column(loaded + 1, processors);
    return is_loaded ? load : 1;
  }
};

inline double first_value(int i, int j) { return (i * 7 + j * 13) % 101 / 101.0; }
inline double source(int i, int j) { return ((i * 3 + j * 5) % 11 - 5) / 1000.0; }

inline constexpr operation jacobi_point{"jacobi_point", 1};

/// A block of columns, with a column of each neighbour beside it, twice: before and after an
/// iteration.
class block {
 public:
  /// Columns first ... last - 1, in that memory.
  block(const problem& about, int first, int last, std::pmr::memory_resource* memory);

  int first() const { return first_; }
  int last() const { return last_; }
  int columns() const { return last_ - first_; }
  /// Column j as it is before iteration q; j may be that of a neighbour.
  double* column(int q, int j) {
    return values_[q & 1].data() + static_cast<std::size_t>(j - first_ + 1) * points_;
  }
  std::span<double> points(int q, int j) { return {column(q, j), points_}; }
  /// Iteration q for columns from ... to - 1. Each is computed as often as the problem says.
  void relax(int q, int from, int to, int processors);

 private:
  problem about_;
  int first_, last_;
  std::size_t points_;
  std::pmr::vector<double> values_[2], sources_;
};

struct answer {
  std::uint64_t hash;
  double sum;
};
/// Of all columns, one after the other.
class gathering {
 public:
  explicit gathering(int n) : n_(n) {}
  void add(std::span<const double> column);
  answer result() const { return {print_.hash, sum_}; }

 private:
  int n_;
  programs::fingerprint print_;
  double sum_ = 0;
};

}  // namespace terrane::jacobi
