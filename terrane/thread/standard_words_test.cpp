// SPDX-License-Identifier: Apache-2.0
// standard_words_test.cpp: waiting in the words of the standard: durations, unique_lock, latch,
// semaphores, jthread and stop_token, and queues that are tried.
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "terrane/thread/enumerable.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/hand_off.hpp"
#include "terrane/thread/jthread.hpp"
#include "terrane/thread/latch.hpp"
#include "terrane/thread/meeting.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/parallel.hpp"
#include "terrane/thread/permits.hpp"
#include "terrane/thread/shared_mutex.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace standard_words_test {
namespace {

using namespace std::chrono_literals;

static_assert(std::is_same_v<std::invoke_result_t<decltype(&mutex::try_lock), mutex&>, bool>);

TEST(how_long, is_rounded_up_and_bounded) {
  EXPECT_EQ(how_long(1ms).nanoseconds(), 1'000'000u);
  EXPECT_EQ(how_long(-1ms).nanoseconds(), 0u);
  EXPECT_EQ(how_long(-5).nanoseconds(), 0u);
  EXPECT_EQ(how_long(7u).nanoseconds(), 7u);
  EXPECT_EQ(how_long(std::chrono::duration<double>(1e-9)).nanoseconds(), 1u);
  EXPECT_EQ(how_long(std::chrono::duration<double, std::nano>(1.2)).nanoseconds(), 2u);
  EXPECT_EQ(how_long(std::chrono::hours::max()).nanoseconds(), ~std::uint64_t{0});
  EXPECT_EQ(how_long::until(std::chrono::steady_clock::now() - 1s).nanoseconds(), 0u);
}

class standard_words : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, standard_words, small_machines(), machine_name);

TEST_P(standard_words, conditions_take_a_unique_lock_and_a_duration) {
  expect([](faults& wrong) {
    mutex lock;
    condition changed;
    std::vector<int> items;
    thread giver(
        [&](int first) {
          for (int i = 0; i < 3; ++i) {
            this_thread::sleep_for(10us);
            const std::lock_guard hold(lock);
            items.push_back(first + i);
            changed.notify_one();
          }
        },
        5);
    {
      std::unique_lock hold(lock);
      changed.wait(hold, [&] { return items.size() >= 2; });
      wrong.unless(hold.owns_lock() && items[1] == 6);
      wrong.unless(changed.wait_for(hold, 1h, [&] { return items.size() == 3; }));
      wrong.unless(!changed.wait_for(hold, 100us, [] { return false; }));
      wrong.unless(!changed.wait_for(hold, 100us));
      wrong.unless(!changed.wait_until(hold, std::chrono::system_clock::now() + 100us));
      wrong.unless(!changed.wait_for(lock, 1us));
    }
    giver.join();
  });
}

TEST_P(standard_words, locks_take_durations_and_time_points) {
  expect([](faults& wrong) {
    mutex lock;
    shared_mutex many;
    std::unique_lock held(lock);
    const std::shared_lock reads(many);
    thread other([&] {
      std::unique_lock mine(lock, std::defer_lock);
      wrong.unless(!mine.try_lock_for(20us));
      wrong.unless(!mine.try_lock_until(std::chrono::steady_clock::now() + 20us));
      wrong.unless(!many.try_lock_for(1us) && many.try_lock_shared_for(1us));
      many.unlock_shared();
    });
    other.join();
    this_thread::sleep_until(std::chrono::steady_clock::now() + 10us);
  });
}

TEST_P(standard_words, latches_open_once_and_semaphores_count) {
  expect([](faults& wrong) {
    latch all(4);
    counting_semaphore<> two(2);
    atomic<int> inside{0}, most{0};
    std::vector<thread> workers;
    for (int i = 0; i < 4; ++i)
      workers.emplace_back([&] {
        two.acquire();
        const int now = inside.fetch_add(1, memory_order_relaxed) + 1;
        if (now > most.load(memory_order_relaxed)) most.store(now, memory_order_relaxed);
        this_thread::yield();
        inside.fetch_sub(1, memory_order_relaxed);
        two.release();
        all.count_down();
      });
    all.wait();
    wrong.unless(all.try_wait() && most.load(memory_order_relaxed) <= 2);
    wrong.unless(two.try_acquire() && two.try_acquire_for(1ms) && !two.try_acquire_for(1us));
    binary_semaphore none(0);
    wrong.unless(!none.try_acquire() && binary_semaphore::max() == 1);
  });
}

TEST_P(standard_words, a_thread_may_leave_a_meeting) {
  expect([](faults& wrong) {
    meeting three(3);
    int rounds = 0;
    thread leaves([&] {
      three.arrive_and_wait();
      three.arrive_and_drop();
    });
    thread stays([&] {
      for (int i = 0; i < 3; ++i) three.arrive_and_wait();
    });
    for (; rounds < 3; ++rounds) three.arrive_and_wait();
    stays.join();
    wrong.unless(rounds == 3);
  });
}

TEST_P(standard_words, a_jthread_is_told_to_stop) {
  expect([](faults& wrong) {
    mutex lock;
    condition changed;
    std::vector<int> items;
    int taken = 0;
    bool ended = false;
    {
      jthread taker([&](std::stop_token stop) {
        std::unique_lock hold(lock);
        while (changed.wait(hold, stop, [&] { return !items.empty(); })) {
          taken += items.back();
          items.pop_back();
        }
        ended = stop.stop_requested();
      });
      for (int i = 1; i <= 3; ++i) {
        const std::lock_guard hold(lock);
        items.push_back(i);
        changed.notify_one();
      }
      this_thread::yield();
      jthread moved = std::move(taker);
      wrong.unless(moved.joinable() && !taker.joinable());
    }
    wrong.unless(ended && taken == 6);
    jthread plain([&](int by) { taken += by; }, 4);
    plain.join();
    wrong.unless(taken == 10 && !plain.joinable());
  });
}

TEST_P(standard_words, queues_are_tried_and_waited_for_in_time) {
  expect([](faults& wrong) {
    hand_off<std::unique_ptr<int>> queue(1);
    wrong.unless(!queue.try_receive() && !queue.receive_for(20us));
    auto one = std::make_unique<int>(1), two = std::make_unique<int>(2);
    wrong.unless(queue.try_send(one) && !one);
    wrong.unless(!queue.try_send(two) && two && !queue.send_for(two, 20us) && *two == 2);
    thread later([&] {
      this_thread::sleep_for(20us);
      wrong.unless(**queue.take() == 1);
    });
    wrong.unless(queue.send_for(two, 1h) && !two);
    later.join();
    wrong.unless(**queue.receive_for(1h) == 2);
    queue.close();
    wrong.unless(!queue.try_receive() && !queue.receive_for(1h));
  });
}

long twice(long n) { return 2 * n; }

TEST_P(standard_words, futures_have_get) {
  expect([](faults& wrong) {
    auto one = spawn<twice>(4);
    future<long> two = spawn<twice>(5);
    wrong.unless(two.get() == 10 && one.get() == 8);
  });
}

TEST_P(standard_words, each_processor_has_its_value) {
  expect([](faults& wrong) {
    enumerable<std::vector<int>> seen;
    parallel_for(0, 500, [&](int i) { seen.local().push_back(i); });
    std::size_t all = 0;
    seen.combine_each([&](const std::vector<int>& each) { all += each.size(); });
    wrong.unless(all == 500 && seen.size() <= terrane_processors());
    enumerable<long> sums([] { return 0L; });
    parallel_for(0L, 100L, [&](long i) { sums.local() += i; });
    wrong.unless(sums.combine(std::plus<>()) == 4950);
  });
}

}  // namespace
}  // namespace standard_words_test
}  // namespace terrane
