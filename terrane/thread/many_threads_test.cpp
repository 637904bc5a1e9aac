// SPDX-License-Identifier: Apache-2.0
// many_threads_test.cpp: how many threads may exist at once, and how much memory they take.
#include <cstdio>
#include <mutex>
#include <vector>

#include "terrane/thread/mutex.hpp"
#include "tests/support/resident.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

TEST(many_threads, a_hundred_thousand_are_blocked_at_once_in_a_gigabyte) {
  if (!memory_is_ours_alone()) GTEST_SKIP() << "the tool keeps memory of its own for each stack";
  run_options options;
  int count = -1;
  const auto outcome =
      run_machine<in_a_thread>(options, &count, thread_code([](faults& wrong) {
                                 constexpr int many = 100'000;
                                 const long before = resident_mib();
                                 mutex lock;
                                 int passed = 0;
                                 lock.lock();
                                 std::vector<thread> all;
                                 for (int i = 0; i < many; ++i)
                                   all.push_back(thread::create([&] {
                                     const std::lock_guard hold(lock);
                                     ++passed;
                                   }));
                                 this_thread::yield();
                                 const long taken = resident_mib() - before;
                                 std::printf("100,000 blocked threads take %ld MiB\n", taken);
                                 wrong.unless(taken > 0 && taken < 1024);
                                 lock.unlock();
                                 for (thread& each : all) each.join();
                                 wrong.unless(passed == many);
                               }));
  EXPECT_EQ(count, 0);
  EXPECT_EQ(outcome.exit_code, 0);
}

}  // namespace
}  // namespace terrane
