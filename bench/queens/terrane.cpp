// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: queens in EARTH style, every legal placement a token that carries its board.
#include "terrane/terrane.hpp"
#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"

template <>
inline constexpr bool terrane::position_independent<queens_board> = true;

using namespace terrane;

namespace {

struct queens : threaded<queens> {
  reply<long> out;
  int children;
  join all = on<&queens::sum>();
  long found[queens_n_max];

  step start(queens_board board, int row, int n, reply<long> to) {
    if (row == n) {
      to.send(1);
      return done;
    }
    out = to;
    unsigned legal = 0;  // one bit per column: keeps the spawns out of the kernel's loop
    for (int column = 0; column < n; ++column)
      legal |= static_cast<unsigned>(queens_legal(&board, row, column)) << column;
    children = 0;
    for (; legal != 0; legal &= legal - 1)
      spawn<queens>(queens_place(board, row, __builtin_ctz(legal)), row + 1, n,
                    all.into(found[children++]));
    return await(all);
  }
  step sum() {
    long total = 0;
    for (int i = 0; i < children; ++i) total += found[i];
    out.send(total);
    return done;
  }
};

struct queens_bench : threaded<queens_bench> {
  bench_run about;
  long found;
  double begun;
  join warm = on<&queens_bench::measure>(), answer = on<&queens_bench::report>();

  step start(int argc, char** argv) {
    char workers[16];
    snprintf(workers, sizeof workers, "%u", processors());
    char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
    about = bench_arguments(argc + 1, words, "queens", "terrane", queens_n_max);
    spawn<queens>(queens_empty(), 0, int{queens_n_warm}, warm.into(found));
    return await(warm);
  }
  step measure() {
    begun = bench_now();
    spawn<queens>(queens_empty(), 0, about.n, answer.into(found));
    return await(answer);
  }
  step report() {
    const double seconds = bench_now() - begun;
    const bench_known known = queens_known(about.n);
    bench_report(&about, &known, static_cast<std::uint64_t>(found), seconds);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<queens_bench>(argc, argv); }
