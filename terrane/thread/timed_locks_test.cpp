// SPDX-License-Identifier: Apache-2.0
// timed_locks_test.cpp: a wait with a limit that is granted at the moment when the limit passes.
#include <gtest/gtest.h>

#include "terrane/base/atomic.hpp"
#include "terrane/thread/mutex.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

/// One waits with a limit that passes while the other, who holds the lock, does not stop running.
/// Then the other unlocks after so many turns: before the alarm is due to ring, or after it, or
/// between the two. The lock has one owner in each case.
TEST(timed_locks, have_one_owner_when_they_are_granted_while_the_alarm_rings) {
  int count = 0;
  const thread_code code = [](faults& wrong) {
    int granted = 0;
    for (int turns = 0; turns < 300; ++turns) {
      mutex lock;
      bool got = false, waits = false;
      lock.lock();
      thread waiting = thread::create([&] {
        waits = true;
        got = lock.try_lock_for(20'000);
        if (got) lock.unlock();
      });
      while (!waits) this_thread::yield();
      for (const std::uint64_t start = now(); now() - start < 40'000;) pause_core();
      for (int i = 0; i < turns; ++i) this_thread::yield();
      lock.unlock();
      waiting.join();
      wrong.unless(lock.try_lock());
      lock.unlock();
      granted += got ? 1 : 0;
    }
    wrong.unless(granted > 0 && granted < 300);
  };
  run_machine<in_a_thread>(machine_of(1), &count, code);
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace terrane
