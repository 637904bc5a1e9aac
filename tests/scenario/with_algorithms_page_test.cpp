// SPDX-License-Identifier: Apache-2.0
// with_algorithms_page_test.cpp: the examples of docs/algorithms.md, as they stand there, and what
// each of them must come to.
#include <cmath>
#include <functional>
#include <vector>

#include "terrane/algorithms.hpp"
#include "tests/support/thread_program.hpp"

namespace algorithms_page {
namespace {

using namespace terrane;

double spread(std::vector<double> x) {
  terrane::sort(x);
  const double middle = x[x.size() / 2];
  terrane::for_each(x, [&](double& each) { each = std::abs(each - middle); });
  return terrane::reduce(x, 0.0) / static_cast<double>(x.size());
}

void transpose(const std::vector<double>& from, std::vector<double>& to, int rows, int columns) {
  parallel_for(blocked_range2d<int>(0, rows, 0, columns), [&](const auto& block) {
    for (int i = block.rows().begin(); i < block.rows().end(); ++i)
      for (int j = block.cols().begin(); j < block.cols().end(); ++j)
        to[static_cast<std::size_t>(rows * j + i)] =
            from[static_cast<std::size_t>(columns * i + j)];
  });
}

bool is_prime(int n) {
  for (int i = 2; i * i <= n; ++i)
    if (n % i == 0) return false;
  return true;
}

long primes_below(int n) {
  return parallel_reduce(
      blocked_range<int>(2, n), 0L,
      [](const auto& block, long so_far) {
        for (int i = block.begin(); i != block.end(); ++i) so_far += is_prime(i);
        return so_far;
      },
      std::plus<>());
}

std::ptrdiff_t first_divisor(const std::vector<long>& candidates, long n) {
  const auto found = terrane::find_if(candidates.begin(), candidates.end(),
                                      [n](long each) { return n % each == 0; });
  return found - candidates.begin();
}

}  // namespace
}  // namespace algorithms_page

namespace terrane {
namespace {

class algorithms_page_test : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, algorithms_page_test, small_machines(), machine_name);

TEST_P(algorithms_page_test, says_what_is_true) {
  expect([](faults& wrong) {
    wrong.unless(algorithms_page::spread({5, 1, 4, 2, 3}) == 1.2);
    std::vector<double> from(6), to(6);
    for (std::size_t i = 0; i < 6; ++i) from[i] = static_cast<double>(i);
    algorithms_page::transpose(from, to, 2, 3);
    wrong.unless(to == std::vector<double>{0, 3, 1, 4, 2, 5});
    wrong.unless(algorithms_page::primes_below(1000) == 168);
    wrong.unless(algorithms_page::first_divisor({7, 6, 5, 4, 3}, 15) == 2);
  });
}

}  // namespace
}  // namespace terrane
