// SPDX-License-Identifier: Apache-2.0
// known_programs.hpp: the expected output and counts of the programs, for arguments of any size.
//
// Source  docs/programs.md. Where it has none, the head of the program derives them.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "programs/barrier/barrier.hpp"
#include "programs/barrier/sequential.hpp"
#include "programs/fib/fib.hpp"
#include "programs/fib/sequential.hpp"
#include "programs/knary/knary.hpp"
#include "programs/knary/sequential.hpp"
#include "programs/matmul/matmul.hpp"
#include "programs/matmul/sequential.hpp"
#include "programs/quadrature/quadrature.hpp"
#include "programs/quadrature/sequential.hpp"
#include "programs/queens/queens.hpp"
#include "programs/queens/sequential.hpp"
#include "programs/reduce/reduce.hpp"
#include "programs/reduce/sequential.hpp"
#include "programs/remote_sum/remote_sum.hpp"
#include "programs/remote_sum/sequential.hpp"
#include "tests/support/run_program.hpp"

namespace terrane::programs {

inline known_run known_fib(int n) {
  const long value = fib_sequential(n);
  const auto leaves = static_cast<std::uint64_t>(value);
  return {"fib(" + std::to_string(n) + ") = " + std::to_string(value) + "\n", 2 * leaves - 2,
          3 * leaves};
}

inline known_run known_queens(int n, int throttle) {
  const auto placed = static_cast<std::uint64_t>(placements(n, throttle));
  return {"queens(" + std::to_string(n) + ") = " + std::to_string(queens_sequential(n)) + "\n",
          2 * placed, 5 * placed + 1};
}

inline known_run known_knary(int levels, int branching, int serial) {
  const auto nodes = static_cast<std::uint64_t>(knary_sequential(levels, branching, 0));
  const std::uint64_t inner = (nodes - 1) / static_cast<std::uint64_t>(branching);
  const std::string tree =
      std::to_string(levels) + "," + std::to_string(branching) + "," + std::to_string(serial);
  return {"knary(" + tree + ") = " + std::to_string(nodes) + "\n",
          static_cast<std::uint64_t>(branching - serial) * inner, 2 * nodes + 2};
}

inline known_run known_matmul(int n, int rows) {
  const auto blocks = static_cast<std::uint64_t>((n + rows - 1) / rows);
  const auto [sum, squares] = matmul_sequential(n);
  return {"sum " + std::to_string(sum) + " sumsq " + std::to_string(squares) + "\n", blocks,
          3 * blocks + 2};
}

inline known_run known_quadrature(int parts, int digits) {
  const quadrature_answer all = quadrature_sequential(parts, std::pow(10.0, -digits));
  char line[100];
  std::snprintf(line, sizeof line, "quadrature(%d) = %.12f, %llu evaluations\n", parts,
                all.integral, static_cast<unsigned long long>(all.evaluations));
  return {line, static_cast<std::uint64_t>(parts), static_cast<std::uint64_t>(parts) + 2};
}

inline known_run known_reduce(int processors) {
  return {"total = " + std::to_string(reduce_sequential(processors)) + "\n", 0,
          2 * static_cast<std::uint64_t>(processors) + 2};
}

inline known_run known_barrier(int processors, int rounds) {
  return {std::to_string(barrier_sequential(processors, rounds)) + " rounds\n", 0,
          static_cast<std::uint64_t>(processors * (rounds + 3) + rounds + 2)};
}

inline known_run known_remote_sum() {
  return {std::to_string(remote_sum_sequential()) + "\n", 1, 10};
}

}  // namespace terrane::programs
