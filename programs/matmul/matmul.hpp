// SPDX-License-Identifier: Apache-2.0
// matmul.hpp: the threaded functions of the program matmul: a token per block of rows fetches its
// operands, multiplies and sends its rows home.
//
// Invariants  The matrices lie row by row with MAIN. Blocks write disjoint rows of C.
// Cost        Every block fetches all of B: N^2 numbers beside its own rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

/// C = A B, all of them n by n.
struct matrices {
  std::ptrdiff_t n;
  global<int> a, b;
  global<long> c;
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::matrices> = true;

namespace terrane::programs {

// Work in world `sim`, as on a current core: a number made or added up, and one step of a product.
constexpr operation matmul_number{"matmul_number", 1.0};
constexpr operation matmul_multiply_add{"matmul_multiply_add", 0.5};

/// c += a b, where a and c are `rows` rows of n numbers and b is n by n.
inline void multiply(const int* a, const int* b, long* c, std::ptrdiff_t rows, std::ptrdiff_t n) {
  for (std::ptrdiff_t i = 0; i < rows; ++i)
    for (std::ptrdiff_t k = 0; k < n; ++k)
      for (std::ptrdiff_t j = 0; j < n; ++j)
        c[i * n + j] += static_cast<long>(a[i * n + k]) * b[k * n + j];
}

struct matmul_block : threaded<matmul_block> {
  matrices all;
  std::ptrdiff_t first, rows;
  slot_ref stored;
  std::vector<int> a, b;
  std::vector<long> c;
  join here = on<&matmul_block::work>();
  join home = on<&matmul_block::end>();

  step start(matrices of, int first_row, int row_count, slot_ref when_stored) {
    charge(matmul_number, 0);
    all = of;
    first = first_row;
    rows = row_count;
    stored = when_stored;
    a.resize(elements());
    b.resize(static_cast<std::size_t>(all.n * all.n));
    c.resize(elements(), 0);
    block_move(all.a + first * all.n, to_global(a[0]), a.size(), here.one());
    block_move(all.b, to_global(b[0]), b.size(), here.one());
    return await(here);
  }
  step work() {
    charge(matmul_multiply_add, elements() * static_cast<std::uint64_t>(all.n));
    multiply(a.data(), b.data(), c.data(), rows, all.n);
    block_move(to_global(c[0]), all.c + first * all.n, c.size(), home.one());
    return await(home);
  }
  step end() {
    charge(matmul_number, 0);
    stored.signal();
    return done;
  }

 private:
  std::size_t elements() const { return static_cast<std::size_t>(rows * all.n); }
};

struct matmul_main : threaded<matmul_main> {
  std::vector<int> a, b;
  std::vector<long> c;
  join stored = on<&matmul_main::print>();

  step start(int argc, char** argv) {
    program_arguments given(argc, argv);
    const int n = given.number("N", {.otherwise = 256, .least = 1, .most = 4096});
    const int rows = given.number("ROWS", {.otherwise = std::min(16, n), .least = 1, .most = n});
    charge(matmul_number, 2 * static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n));
    if (!given.complete()) return done;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        a.push_back((i + j) % 7 - 3);
        b.push_back((2 * i + 3 * j) % 5 - 2);
      }
    c.resize(a.size());
    const matrices all{n, to_global(a[0]), to_global(b[0]), to_global(c[0])};
    for (int first = 0; first < n; first += rows)
      spawn<matmul_block>(all, first, std::min(rows, n - first), stored.one());
    return await(stored);
  }
  step print() {
    charge(matmul_number, c.size());
    long sum = 0, squares = 0;
    for (const long each : c) {
      sum += each;
      squares += each * each;
    }
    std::printf("sum %ld sumsq %ld\n", sum, squares);
    return done;
  }
};

}  // namespace terrane::programs
