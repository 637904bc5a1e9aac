// SPDX-License-Identifier: Apache-2.0
// sieve.cpp: the primes below a million: a loop over blocks.
// prints: 78498 primes below 1000000

#include <cmath>
#include <cstdio>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  constexpr long n = 1'000'000;
  std::vector<long> small;  // the primes up to the root of n
  for (long i = 2; i * i <= n; ++i) {
    bool is_prime = true;
    for (const long p : small) is_prime = is_prime && i % p != 0;
    if (is_prime) small.push_back(i);
  }
  const long primes = parallel_reduce(
      blocked_range<long>(2, n), 0L,
      [&](const auto& block, long so_far) {
        std::vector<bool> crossed(block.size());
        for (const long p : small) {
          const long first = std::max(p * p, (block.begin() + p - 1) / p * p);
          for (long i = first; i < block.end(); i += p)
            crossed[static_cast<std::size_t>(i - block.begin())] = true;
        }
        for (const bool each : crossed) so_far += !each;
        return so_far;
      },
      std::plus<>());
  std::printf("%ld primes below %ld\n", primes, n);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
