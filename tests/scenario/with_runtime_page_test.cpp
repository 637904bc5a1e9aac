// SPDX-License-Identifier: Apache-2.0
// with_runtime_page_test.cpp: the example of docs/runtime.md, as it stands there.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "terrane/runtime.hpp"
#include "terrane/thread/parallel.hpp"

namespace runtime_page {
namespace {

using namespace terrane;

bool is_prime(int n) {
  for (int i = 2; i * i <= n; ++i)
    if (n % i == 0) return false;
  return true;
}

long largest_prime_below(int n) {
  return parallel_reduce(
      2, n, 0L, [](int i) { return is_prime(i) ? long{i} : 0L; },
      [](long one, long other) { return std::max(one, other); });
}

long asked_from_outside() {
  terrane::runtime machine(2);  // two processors; without a number all that the process may use
  std::future<long> prime = machine.submit(largest_prime_below, 1000);
  std::atomic<int> done{0};
  std::thread other([&] { machine.post([&] { ++done; }); });  // no result to wait for
  other.join();
  return prime.get();
}  // waits for what was submitted

TEST(runtime_page, says_what_is_true) { EXPECT_EQ(asked_from_outside(), 997); }

}  // namespace
}  // namespace runtime_page
