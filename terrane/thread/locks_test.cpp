// SPDX-License-Identifier: Apache-2.0
// locks_test.cpp: mutexes, conditions, permits, readers and writers, meetings, once, hand-offs.
#include <algorithm>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/hand_off.hpp"
#include "terrane/thread/meeting.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/permits.hpp"
#include "terrane/thread/shared_mutex.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class locks : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, locks, small_machines(), machine_name);

/// So many threads run `code` with their numbers.
template <class Code>
void run_threads(int how_many, Code code) {
  std::vector<thread> all;
  for (int i = 0; i < how_many; ++i) all.push_back(thread::create([=] { code(i); }));
  for (thread& each : all) each.join();
}

template <class Mutex>
void count_together(faults& wrong) {
  Mutex lock;
  int inside = 0, sum = 0;
  run_threads(8, [&](int) {
    for (int i = 0; i < 20; ++i) {
      const std::lock_guard hold(lock);
      wrong.unless(++inside == 1);
      const int before = sum;
      this_thread::yield();
      sum = before + 1;
      --inside;
    }
  });
  wrong.unless(sum == 160);
}

TEST_P(locks, one_thread_is_inside_at_a_time) {
  expect(count_together<mutex>);
  expect(count_together<spin_mutex>);
}

TEST_P(locks, are_handed_to_who_has_waited_longest) {
  expect([](faults& wrong) {
    mutex lock;
    std::string order;
    lock.lock();
    std::vector<thread> all;
    for (char each = 'a'; each <= 'e'; ++each)
      all.push_back(thread::create([&order, &lock, each] {
        const std::lock_guard hold(lock);
        order += each;
      }));
    this_thread::yield();
    lock.unlock();
    lock.lock();  // waits behind the others
    order += '.';
    lock.unlock();
    for (thread& each : all) each.join();
    wrong.unless(order == "abcde.");
  });
}

TEST_P(locks, are_given_up_when_they_take_too_long) {
  expect([](faults& wrong) {
    mutex lock, of_turn;
    condition turn;
    bool gave_up = false;
    wrong.unless(lock.try_lock());
    thread other = thread::create([&] {
      wrong.unless(!lock.try_lock());
      const std::uint64_t start = now();
      wrong.unless(!lock.try_lock_for(1'000'000) && now() - start >= 1'000'000);
      {
        const std::lock_guard hold(of_turn);
        gave_up = true;
        turn.notify_all();
      }
      wrong.unless(lock.try_lock_for(1'000'000'000'000));  // gets it long before the timeout
      lock.unlock();
    });
    {
      const std::lock_guard hold(of_turn);
      turn.wait(of_turn, [&] { return gave_up; });
    }
    lock.unlock();
    other.join();
  });
}

TEST_P(locks, conditions_are_waited_for) {
  expect([](faults& wrong) {
    mutex lock;
    condition changed;
    int turn = 0;
    std::string order;
    const auto take_turns = [&](int mine) {
      for (int i = 0; i < 10; ++i) {
        const std::lock_guard hold(lock);
        changed.wait(lock, [&] { return turn == mine; });
        order += static_cast<char>('0' + mine);
        turn = (turn + 1) % 3;
        changed.notify_all();
      }
    };
    run_threads(3, take_turns);
    wrong.unless(order == "012012012012012012012012012012");
    const std::lock_guard hold(lock);
    wrong.unless(!changed.wait_for(lock, 100'000));
  });
}

TEST_P(locks, a_notice_wakes_one_or_all) {
  expect([](faults& wrong) {
    mutex lock;
    condition changed;
    int awake = 0;
    std::vector<thread> all;
    for (int i = 0; i < 5; ++i)
      all.push_back(thread::create([&] {
        const std::lock_guard hold(lock);
        changed.wait(lock);
        ++awake;
      }));
    this_thread::yield();
    changed.notify_one();
    for (int i = 0; i < 5; ++i) this_thread::yield();
    wrong.unless(awake == 1);
    changed.notify_all();
    for (thread& each : all) each.join();
    wrong.unless(awake == 5);
  });
}

TEST_P(locks, permits_are_taken_and_given) {
  expect([](faults& wrong) {
    permits three(3);
    int inside = 0, most = 0;
    run_threads(10, [&](int) {
      three.take();
      most = std::max(most, ++inside);
      this_thread::yield();
      --inside;
      three.give();
    });
    wrong.unless(most == 3);
    for (int i = 0; i < 3; ++i) wrong.unless(three.try_take());
    wrong.unless(!three.try_take() && !three.try_take_for(100'000));
    three.give(2);
    wrong.unless(three.try_take() && three.try_take_for(1) && !three.try_take());
  });
}

TEST_P(locks, many_read_or_one_writes) {
  expect([](faults& wrong) {
    shared_mutex lock;
    int reading = 0, writing = 0, readers_most = 0;
    run_threads(12, [&](int number) {
      for (int i = 0; i < 5; ++i)
        if (number % 4 == 0) {
          const std::lock_guard hold(lock);
          wrong.unless(++writing == 1 && reading == 0);
          this_thread::yield();
          --writing;
        } else {
          const std::shared_lock hold(lock);
          readers_most = std::max(readers_most, ++reading);
          wrong.unless(writing == 0);
          this_thread::yield();
          --reading;
        }
    });
    wrong.unless(readers_most > 1);
  });
}

TEST_P(locks, a_writer_that_gives_up_lets_the_readers_behind_it_in) {
  expect([](faults& wrong) {
    shared_mutex lock;
    lock.lock_shared();
    thread writer = thread::create([&] { wrong.unless(!lock.try_lock_for(1'000'000)); });
    this_thread::yield();
    thread reader = thread::create([&] {
      wrong.unless(!lock.try_lock_shared());  // a writer waits already
      lock.lock_shared();
      lock.unlock_shared();
    });
    reader.join();  // while we still read
    writer.join();
    lock.unlock_shared();
  });
}

TEST_P(locks, threads_meet_again_and_again) {
  expect([](faults& wrong) {
    meeting all(4);
    int lasts = 0;
    std::vector<int> at(4, 0);
    run_threads(4, [&](int mine) {
      for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < mine; ++i) this_thread::yield();
        ++at[static_cast<std::size_t>(mine)];
        lasts += all.arrive_and_wait();
        for (const int each : at) wrong.unless(each >= round + 1);
      }
    });
    wrong.unless(lasts == 5);
  });
}

TEST_P(locks, what_is_done_once_is_done_by_the_first_that_does_not_throw) {
  expect([](faults& wrong) {
    once first;
    int tries = 0, failures = 0;
    run_threads(5, [&](int) {
      try {
        first.call([&] {
          this_thread::yield();
          if (++tries < 3) throw std::runtime_error("not yet");
        });
        wrong.unless(tries == 3);
      } catch (const std::runtime_error&) { ++failures; }
    });
    wrong.unless(tries == 3 && failures == 2);
  });
}

TEST_P(locks, items_are_handed_off_in_order) {
  expect([](faults& wrong) {
    for (const std::size_t buffered : {0u, 1u, 7u}) {
      hand_off<std::unique_ptr<int>> items(buffered);
      thread sender = thread::create([&] {
        for (int i = 0; i < 50; ++i) items.send(std::make_unique<int>(i));
        items.close();
      });
      int next = 0;
      while (auto each = items.take()) wrong.unless(**each == next++);
      wrong.unless(next == 50 && !items.take());
      sender.join();
    }
  });
}

// --- threads of all processors of a node ---

struct shared_state {
  mutex lock;
  spin_mutex spinning;
  condition changed;
  long sum = 0, spun = 0, finished = 0;
};

/// What every processor's thread does to the same counters.
struct adds_up : threaded<adds_up> {
  step start(std::uint64_t where, reply<void> to) {
    auto* const state = reinterpret_cast<shared_state*>(where);
    thread::create([=] {
      for (int i = 0; i < 500; ++i) {
        {
          const std::lock_guard hold(state->lock);
          ++state->sum;
          if (i % 50 == 0) this_thread::yield();
        }
        const std::lock_guard hold(state->spinning);
        ++state->spun;
      }
      const std::lock_guard hold(state->lock);
      ++state->finished;
      state->changed.notify_all();
      to.send();
    }).detach();
    return done;
  }
};

TEST_P(locks, serve_the_processors_of_a_node) {
  expect([](faults& wrong) {
    shared_state state;
    const std::uint32_t of_node = terrane::processors() / nodes();
    thread_block& me = thread_block::current("test");
    for (std::uint32_t i = 0; i < 4 * of_node; ++i)
      activation<adds_up, false>::invoke(i % of_node, reinterpret_cast<std::uint64_t>(&state),
                                         reply<void>{{me.expect(), nullptr}});
    {
      const std::lock_guard hold(state.lock);
      state.changed.wait(state.lock, [&] { return state.finished == 4 * of_node; });
    }
    me.block();
    wrong.unless(state.sum == 2000 * of_node && state.spun == 2000 * of_node);
  });
}

// --- misuse ---

class lock_errors : public run_to_failure {
 protected:
  static void expect_named(const std::string& sentence, thread_code code) {
    int count = 0;
    expect_failure<in_a_thread>(machine_of(1), sentence, &count, code);
  }
};

TEST_F(lock_errors, locked_twice) {
  expect_named("R-283: thread test would wait for a mutex that it holds itself", [](faults&) {
    mutex lock;
    lock.lock();
    lock.lock();
  });
}

TEST_F(lock_errors, unlocked_by_a_stranger) {
  expect_named("R-283: thread stranger unlocked a mutex that is held by thread test", [](faults&) {
    mutex lock;
    lock.lock();
    thread::create({.name = "stranger"}, [&] { lock.unlock(); }).join();
  });
}

TEST_F(lock_errors, unlocked_when_nobody_holds_it) {
  expect_named("R-283: thread test unlocked a mutex that nobody holds", [](faults&) {
    mutex lock;
    lock.unlock();
  });
}

TEST_F(lock_errors, kept_at_the_end_of_a_thread) {
  expect_named("R-283: thread greedy ended while it held 1 lock", [](faults&) {
    mutex lock;
    thread::create({.name = "greedy"}, [&] { lock.lock(); }).join();
  });
}

TEST_F(lock_errors, a_condition_without_its_mutex) {
  expect_named("R-283: thread test waits for a condition with a mutex that it does not hold",
               [](faults&) {
                 mutex lock;
                 condition changed;
                 changed.wait(lock);
               });
}

TEST_F(lock_errors, a_deadlock_names_the_threads_and_what_they_wait_for) {
  int count = 0;
  const auto outcome = run_machine<in_a_thread>(machine_of(1), &count, thread_code([](faults&) {
                                                  mutex one, other;
                                                  thread second =
                                                      thread::create({.name = "second"}, [&] {
                                                        other.lock();
                                                        this_thread::yield();
                                                        one.lock();
                                                      });
                                                  one.lock();
                                                  this_thread::yield();
                                                  other.lock();
                                                }));
  EXPECT_TRUE(outcome.deadlock);
  const std::string text = describe_deadlock(outcome.left);
  EXPECT_NE(text.find("thread second waits for a mutex"), std::string::npos) << text;
  EXPECT_NE(text.find("thread test waits for a mutex"), std::string::npos) << text;
}

}  // namespace
}  // namespace terrane
