// SPDX-License-Identifier: Apache-2.0
// forked.cpp: matmul with the forks of a library: compile with -include bench/forks/LIBRARY.hpp.
#include <memory>

#include "bench/matmul/kernel.h"

namespace {

void multiply(const matmul_blocks& of) {
  matmul_blocks first, second;
  switch (matmul_halves(&of, &first, &second)) {
    case matmul_whole: return matmul_multiply(&of);
    case matmul_inner: multiply(first); return multiply(second);
    default: bench::both([&first] { multiply(first); }, [&second] { multiply(second); });
  }
}

struct matmul_problem {
  static constexpr const char* name = "matmul";
  static constexpr int n_max = matmul_n_max, n_warm = matmul_n_warm;
  explicit matmul_problem(int side)
      : n(side), numbers(new double[3 * static_cast<std::size_t>(side) * side]) {
    matmul_fill(a(), b(), c(), n);
  }
  static bench_known known(int n) { return matmul_known(n); }
  void solve() { multiply({c(), a(), b(), n, n, n, n}); }
  std::uint64_t answer() const { return matmul_check(c(), n); }

  double* a() const { return numbers.get(); }
  double* b() const { return a() + static_cast<std::size_t>(n) * n; }
  double* c() const { return b() + static_cast<std::size_t>(n) * n; }

  int n;
  std::unique_ptr<double[]> numbers;
};

}  // namespace

int main(int argc, char** argv) { return bench::forked_main<matmul_problem>(argc, argv); }
