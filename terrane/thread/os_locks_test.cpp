// SPDX-License-Identifier: Apache-2.0
// os_locks_test.cpp: locks of the C library that a thread holds where it gives way.
#include "terrane/base/os_locks.hpp"

#include <mutex>
#include <shared_mutex>

#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

struct holds_over_a_switch : threaded<holds_over_a_switch> {
  join over = on<&holds_over_a_switch::finish>();
  step start(int what) {
    thread::create({.name = "careless"}, [what, over = over.one()] {
      static std::mutex lock;
      static std::shared_mutex shared;
      if (what == 0) {
        thread::create([] {}).detach();  // the thread that runs when the other yields
        const std::lock_guard hold(lock);
        this_thread::yield();
      } else {
        const std::shared_lock hold(shared);
        this_thread::sleep_for(1);
      }
      over.signal();
    }).detach();
    return await(over);
  }
  step finish() { return done; }
};

class os_locks : public run_to_failure {};

TEST_F(os_locks, held_over_a_switch_are_r283) {
  if (!os_locks_are_counted) GTEST_SKIP() << "checked builds find it";
  for (const int what : {0, 1})
    expect_failure<holds_over_a_switch>(
        machine_of(1), "R-283: thread careless gives way while it holds a lock of the C library",
        what);
}

TEST(os_locks_given_back, are_not_held) {
  run_options options;
  int count = -1;
  run_machine<in_a_thread>(options, &count, thread_code([](faults& wrong) {
                             std::mutex lock;
                             for (int i = 0; i < 3; ++i) {
                               { const std::lock_guard hold(lock); }
                               if (lock.try_lock()) lock.unlock();
                               this_thread::yield();
                             }
                             wrong.unless(os_locks_held() == 0);
                           }));
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace terrane
