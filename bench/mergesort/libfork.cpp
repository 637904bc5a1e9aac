// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: mergesort with coroutines on libfork's lazy pool.
#include <libfork.hpp>
#include <memory>
#include <utility>

#include "bench/forks/timed.hpp"
#include "bench/mergesort/kernel.h"
#include "bench/spread.h"

namespace {

lf::lazy_pool* pool = nullptr;

constexpr auto merge = [](auto merge, const std::uint64_t* left, std::size_t lefts,
                          const std::uint64_t* right, std::size_t rights, std::uint64_t* to)
                           LF_STATIC_CALL -> lf::task<void> {
  if (lefts < rights) {
    std::swap(left, right);
    std::swap(lefts, rights);
  }
  if (lefts + rights <= mergesort_leaf) {
    mergesort_merge(left, lefts, right, rights, to);
    co_return;
  }
  const std::size_t half = lefts / 2;
  const std::size_t below = mergesort_below(right, rights, left[half]);
  co_await lf::fork(merge)(left, half, right, below, to);
  co_await lf::call(merge)(left + half, lefts - half, right + below, rights - below,
                           to + half + below);
  co_await lf::join;
};

constexpr auto sort = [](auto sort, std::uint64_t* all, std::uint64_t* room, std::size_t count,
                         bool to_room) LF_STATIC_CALL -> lf::task<void> {
  if (count <= mergesort_leaf) {
    mergesort_serial(all, room, count, to_room);
    co_return;
  }
  const std::size_t half = count / 2;
  co_await lf::fork(sort)(all, room, half, !to_room);
  co_await lf::call(sort)(all + half, room + half, count - half, !to_room);
  co_await lf::join;
  const std::uint64_t* const from = to_room ? all : room;
  co_await lf::call(merge)(from, half, from + half, count - half, to_room ? room : all);
};

struct mergesort_problem {
  static constexpr const char* name = "mergesort";
  static constexpr int n_max = mergesort_n_max, n_warm = mergesort_n_warm;
  explicit mergesort_problem(int n)
      : count(std::size_t{1} << n), all(new std::uint64_t[count]), room(new std::uint64_t[count]) {
    mergesort_fill(all.get(), count);
    mergesort_fill(room.get(), count);  // touched before the clock starts
  }
  static bench_known known(int n) { return mergesort_known(n); }
  void solve() { lf::sync_wait(*pool, sort, all.get(), room.get(), count, false); }
  std::uint64_t answer() const { return mergesort_check(all.get(), count); }

  std::size_t count;
  std::unique_ptr<std::uint64_t[]> all, room;
};

}  // namespace

int main(int argc, char** argv) {
  const bench_run run = bench::arguments_of<mergesort_problem>(argc, argv, "libfork");
  lf::lazy_pool workers(static_cast<std::size_t>(run.workers));
  pool = &workers;
  bench::warm_up<mergesort_problem>();
  bench_spread();
  bench::solve_timed<mergesort_problem>(run);
}
