// SPDX-License-Identifier: Apache-2.0
// forked.cpp: mergesort with the forks of a library: compile with -include bench/forks/LIBRARY.hpp.
#include <memory>

#include "bench/mergesort/kernel.h"

namespace {

void merge(const std::uint64_t* left, std::size_t lefts, const std::uint64_t* right,
           std::size_t rights, std::uint64_t* to) {
  if (lefts < rights) return merge(right, rights, left, lefts, to);
  if (lefts + rights <= mergesort_leaf) return mergesort_merge(left, lefts, right, rights, to);
  const std::size_t half = lefts / 2;
  const std::size_t below = mergesort_below(right, rights, left[half]);
  bench::both(
      [&] { merge(left, half, right, below, to); },
      [&] { merge(left + half, lefts - half, right + below, rights - below, to + half + below); });
}

void sort(std::uint64_t* all, std::uint64_t* room, std::size_t count, bool to_room) {
  if (count <= mergesort_leaf) return mergesort_serial(all, room, count, to_room);
  const std::size_t half = count / 2;
  bench::both([&] { sort(all, room, half, !to_room); },
              [&] { sort(all + half, room + half, count - half, !to_room); });
  const std::uint64_t* const from = to_room ? all : room;
  merge(from, half, from + half, count - half, to_room ? room : all);
}

struct mergesort_problem {
  static constexpr const char* name = "mergesort";
  static constexpr int n_max = mergesort_n_max, n_warm = mergesort_n_warm;
  explicit mergesort_problem(int n)
      : count(std::size_t{1} << n), all(new std::uint64_t[count]), room(new std::uint64_t[count]) {
    mergesort_fill(all.get(), count);
    mergesort_fill(room.get(), count);  // touched before the clock starts
  }
  static bench_known known(int n) { return mergesort_known(n); }
  void solve() { sort(all.get(), room.get(), count, false); }
  std::uint64_t answer() const { return mergesort_check(all.get(), count); }

  std::size_t count;
  std::unique_ptr<std::uint64_t[]> all, room;
};

}  // namespace

int main(int argc, char** argv) { return bench::forked_main<mergesort_problem>(argc, argv); }
