// SPDX-License-Identifier: Apache-2.0
// twins.hpp: the sequential programs by name, each with the arguments and the output of its
// parallel twin, and with the same work declared.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <vector>

#include "programs/arguments.hpp"
#include "programs/atgc/sequential.hpp"
#include "programs/fib/fib.hpp"
#include "programs/fib/sequential.hpp"
#include "programs/knary/knary.hpp"
#include "programs/knary/sequential.hpp"
#include "programs/matmul/matmul.hpp"
#include "programs/matmul/sequential.hpp"
#include "programs/paraffins/sequential.hpp"
#include "programs/quadrature/quadrature.hpp"
#include "programs/queens/queens.hpp"
#include "programs/queens/sequential.hpp"
#include "programs/spmd/sequential.hpp"
#include "programs/tomcatv/sequential.hpp"
#include "programs/tsp/sequential.hpp"
#include "programs/wator/sequential.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

// Work of the programs that exist in Threaded-C only, as declared there.
constexpr operation tsp_tour{"tsp_tour", 60.0};
constexpr operation tomcatv_point{"tomcatv_point", 30.0};
constexpr operation spmd_turn{"spmd_turn", 0.25};
constexpr operation paraffins_molecule{"paraffins_molecule", 0.7};
constexpr operation atgc_cell{"atgc_cell", 3.0};

inline std::uint64_t count(long n) { return static_cast<std::uint64_t>(n); }

// One function for each: reads the arguments and, if they are right, prints the answer.

inline void fib_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 33, .least = 0, .most = 90});
  if (!given.complete()) return;
  const long value = fib_sequential(n);
  charge(fib_call, 2 * count(value) - 1);
  charge(fib_sum, count(value) - 1);
  std::printf("fib(%d) = %ld\n", n, value);
}

inline void queens_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 12, .least = 1, .most = 20});
  given.number("T", {.otherwise = 1, .least = 1, .most = n});
  if (!given.complete()) return;
  const std::vector<long> legal = legal_placements(n);
  charge(queens_node, count(std::accumulate(legal.begin(), legal.end(), 0L)));
  std::printf("queens(%d) = %ld\n", n, legal.back());
}

inline void knary_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 7, .least = 1, .most = 30});
  const int k = given.number("K", {.otherwise = 7, .least = 1, .most = 16});
  const int r = given.number("R", {.otherwise = k < 2 ? k : 2, .least = 0, .most = k});
  const int turns = given.number("G", {.otherwise = 400, .least = 0, .most = 1'000'000'000});
  if (!given.complete()) return;
  const long visited = knary_sequential(n, k, turns);
  charge(knary_iteration, count(visited) * count(turns));
  std::printf("knary(%d,%d,%d) = %ld\n", n, k, r, visited);
}

inline void matmul_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 256, .least = 1, .most = 4096});
  given.number("ROWS", {.otherwise = 1, .least = 1, .most = n});
  if (!given.complete()) return;
  const auto [sum, squares] = matmul_sequential(n);
  charge(matmul_multiply_add, count(n) * count(n) * count(n));
  charge(matmul_number, 3 * count(n) * count(n));
  std::printf("sum %ld sumsq %ld\n", sum, squares);
}

inline void tsp_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 10, .least = 1, .most = 13});
  given.number("T", {.otherwise = 1, .least = 1, .most = n});
  if (!given.complete()) return;
  std::uint64_t tours = 1;
  for (int k = 2; k <= n; ++k) tours *= count(k);
  charge(tsp_tour, tours);
  std::printf("tsp(%d) = %d\n", n, tsp_sequential(n));
}

inline void tomcatv_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 257, .least = 3, .most = 2049});
  const int turns = given.number("I", {.otherwise = 100, .least = 1, .most = 1'000'000});
  if (!given.complete()) return;
  const tomcatv_answer answer = tomcatv_sequential(n, turns);
  charge(tomcatv_point, count(turns) * count(n - 2) * count(n - 2));
  std::printf("tomcatv(%d) = residuals %.6e %.6e, sums %.9f %.9f\n", n, answer.x_residual,
              answer.y_residual, answer.x_sum, answer.y_sum);
}

inline void spmd_twin(program_arguments& given) {
  const int a = given.number("A", {.otherwise = 4, .least = 1, .most = 16});
  const int b = given.number("B", {.otherwise = 4, .least = 1, .most = 1024});
  const int c = given.number("C", {.otherwise = 0, .least = 0, .most = 100});
  const int turns = given.number("G", {.otherwise = 800'000, .least = 0, .most = 1'000'000'000});
  if (!given.complete()) return;
  const long all = spmd_sequential({a, b, c, turns});
  charge(spmd_turn, count(all));
  std::printf("spmd(%d,%d,%d) = %ld\n", a, b, c, all);
}

inline void paraffins_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 28, .least = 1, .most = 29});
  given.number("T", {.otherwise = 1, .least = 1, .most = 2'000'000'000});
  if (!given.complete()) return;
  const paraffins_answer answer = paraffins_sequential(n);
  long all = 0;
  for (const long each : answer.number) all += each;
  charge(paraffins_molecule, count(all));
  std::printf("paraffins(%d) = %ld, %ld in all, sum %ld\n", n, answer.number.back(), all,
              static_cast<long>(answer.sum));
}

inline void atgc_twin(program_arguments& given) {
  const int n = given.number("N", {.otherwise = 4000, .least = 1, .most = 1'000'000});
  if (!given.complete()) return;
  const atgc_alignment best = atgc_sequential(n);
  charge(atgc_cell, count(n) * count(n));
  std::printf("atgc(%d) = %d at (%d,%d), sum %ld\n", n, best.score, best.row, best.column,
              best.sum);
}

inline void quadrature_twin(program_arguments& given) {
  const int parts = given.number("N", {.otherwise = 16, .least = 1, .most = 1'000'000});
  const int digits = given.number("H", {.otherwise = 9, .least = 1, .most = 12});
  if (!given.complete()) return;
  const quadrature_answer all = quadrature_sequential(parts, std::pow(10.0, -digits));
  charge(quadrature_evaluation, all.evaluations);
  std::printf("quadrature(%d) = %.12f, %llu evaluations\n", parts, all.integral,
              static_cast<unsigned long long>(all.evaluations));
}

inline void wator_twin(program_arguments& given) {
  const int seed = given.number("SEED", {.otherwise = 1, .least = 0, .most = 1'000'000});
  const int steps = given.number("STEPS", {.otherwise = 100, .least = 0, .most = 1'000'000});
  given.number("THREADS", {.otherwise = 16, .least = 1, .most = 1024});
  const int side = given.number("SIDE", {.otherwise = 100, .least = 6, .most = 4000});
  given.number("START", {.otherwise = 0, .least = 0, .most = 5});
  if (!given.complete()) return;
  wator_sequential(static_cast<std::uint64_t>(seed), steps, side).print();
}

struct sequential_main : threaded<sequential_main> {
  struct twin {
    std::string_view name;
    void (*run)(program_arguments&);
  };
  static constexpr std::array<twin, 11> twins{{{"fib", fib_twin},
                                               {"queens", queens_twin},
                                               {"tsp", tsp_twin},
                                               {"knary", knary_twin},
                                               {"matmul", matmul_twin},
                                               {"tomcatv", tomcatv_twin},
                                               {"spmd", spmd_twin},
                                               {"paraffins", paraffins_twin},
                                               {"atgc", atgc_twin},
                                               {"quadrature", quadrature_twin},
                                               {"wator", wator_twin}}};

  step start(int argc, char** argv) {
    charge(fib_call, 0);
    const std::string_view name = argc > 1 ? argv[1] : "";
    const auto* found = std::find_if(twins.begin(), twins.end(),
                                     [&](const twin& each) { return each.name == name; });
    if (found != twins.end()) {
      program_arguments given(argc - 1, argv + 1);
      found->run(given);
      return done;
    }
    std::fprintf(stderr, "sequential: NAME must be one of");
    for (const twin& each : twins)
      std::fprintf(stderr, "%s %.*s", &each == twins.begin() ? "" : ",",
                   static_cast<int>(each.name.size()), each.name.data());
    std::fprintf(stderr, ", not '%.*s'\n", static_cast<int>(name.size()), name.data());
    set_exit_code(2);
    return done;
  }
};

}  // namespace terrane::programs
