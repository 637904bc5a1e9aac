// SPDX-License-Identifier: Apache-2.0
// thread_test.cpp: threads made, joined, detached; yielding, sleeping, names, errno, exceptions.
#include "terrane/thread/thread.hpp"

#include <cerrno>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class threads : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, threads, small_machines(), machine_name);

TEST_P(threads, a_thread_runs_and_is_joined) {
  expect([](faults& wrong) {
    int ran = 0;
    thread one = thread::create([&] { ran = 1; });
    wrong.unless(ran == 0);
    one.join();
    wrong.unless(ran == 1 && !one.joinable());
  });
}

TEST_P(threads, arguments_are_copied_and_moved_in) {
  expect([](faults& wrong) {
    std::string text = "a text that is too long to lie within a string itself";
    const std::string before = text;
    std::string got;
    thread one = thread::create([&got](std::string mine, int n) { got = mine + std::to_string(n); },
                                text, 7);
    text.clear();
    one.join();
    wrong.unless(got == before + "7");
  });
}

TEST_P(threads, of_one_priority_run_in_the_order_in_which_they_became_ready) {
  expect([](faults& wrong) {
    std::string order;
    std::vector<thread> all;
    for (char each = 'a'; each <= 'd'; ++each)
      all.push_back(thread::create([&order, each] {
        for (int i = 0; i < 3; ++i) {
          order += each;
          this_thread::yield();
        }
      }));
    for (thread& each : all) each.join();
    wrong.unless(order == "abcdabcdabcd");
  });
}

TEST_P(threads, of_a_better_priority_run_first) {
  expect([](faults& wrong) {
    std::string order;
    std::vector<thread> all;
    for (const int priority : {7, 3, 5, 3, 0})
      all.push_back(thread::create({.priority = priority}, [&order] {
        order += static_cast<char>('0' + this_thread::priority());
      }));
    for (thread& each : all) each.join();
    wrong.unless(order == "03357");
  });
}

TEST_P(threads, are_joined_in_any_order_and_after_their_end) {
  expect([](faults& wrong) {
    std::vector<thread> all;
    int sum = 0;
    for (int i = 0; i < 100; ++i) all.push_back(thread::create([&sum, i] { sum += i; }));
    all[50].join();
    for (int i = 99; i >= 0; --i)
      if (i != 50) all[static_cast<std::size_t>(i)].join();
    wrong.unless(sum == 4950);
  });
}

/// A fresh thread that is joined begins at once, on its own stack, and may do what any thread may.
TEST_P(threads, that_are_joined_before_they_begin_may_block_nest_and_differ_in_stacks) {
  expect([](faults& wrong) {
    struct nested {
      static int of(int depth) {
        if (depth == 0) return 1;
        int below = 0;
        thread one = thread::create(
            {.name = "nested", .stack_bytes = std::size_t{16} << 10 << depth % 3}, [&, depth] {
              errno = depth;
              if (depth % 2 == 0) this_thread::yield();
              if (depth % 3 == 0) this_thread::sleep_for(1'000);
              const bool kept = errno == depth;
              below = kept ? of(depth - 1) : -1'000;
            });
        errno = -depth;
        one.join();
        return below + (errno == -depth ? 1 : -1'000);
      }
    };
    wrong.unless(nested::of(9) == 10);
    thread beside = thread::create([] { this_thread::sleep_for(1'000'000); });
    wrong.unless(nested::of(9) == 10);
    beside.join();
  });
}

TEST_P(threads, that_are_made_and_joined_without_end_let_others_run) {
  expect([](faults& wrong) {
    int turns = 0;
    bool over = false;
    thread other = thread::create([&] {
      while (!over) {
        this_thread::yield();
        ++turns;
      }
    });
    slot_ref later;
    thread waits = thread::create([&] {
      this_thread::await([&](slot_ref done) { later = done; });
      over = true;
    });
    this_thread::yield();
    after(1'000, later);
    int made = 0;
    for (; !over && made < 10'000'000; ++made) thread::create([] {}).join();
    wrong.unless(over && turns + 2 >= made);
    other.join();
    waits.join();
  });
}

TEST_P(threads, that_are_dropped_are_joined) {
  expect([](faults& wrong) {
    int ran = 0;
    {
      const thread one = thread::create([&] {
        this_thread::yield();
        ran = 1;
      });
    }
    wrong.unless(ran == 1);
  });
}

TEST_P(threads, that_are_detached_end_by_themselves) {
  expect([](faults& wrong) {
    int ran = 0;
    thread::create([&] { ++ran; }).detach();
    thread later = thread::create([&] { ++ran; });
    while (ran != 2) this_thread::yield();
    later.detach();  // the thread has ended already
    wrong.unless(!later.joinable());
  });
}

TEST_P(threads, have_names_and_keep_errno) {
  expect([](faults& wrong) {
    const auto own_errno = [&wrong](int mine) {
      errno = mine;
      for (int i = 0; i < 5; ++i) {
        this_thread::yield();
        wrong.unless(errno == mine);
      }
    };
    thread one = thread::create({.name = "one"}, [&] {
      wrong.unless(std::string(this_thread::name()) == "one");
      this_thread::set_name("other");
      wrong.unless(std::string(this_thread::name()) == "other");
      own_errno(EINTR);
    });
    thread two = thread::create(own_errno, ENOENT);
    own_errno(EAGAIN);
    one.join();
    two.join();
  });
}

TEST_P(threads, sleep_as_long_as_they_say) {
  expect([](faults& wrong) {
    std::string order;
    const std::uint64_t start = now();
    thread late = thread::create([&] {
      this_thread::sleep_for(2'000'000);
      order += 'l';
    });
    thread early = thread::create([&] {
      this_thread::sleep_for(1'000'000);
      order += 'e';
    });
    late.join();
    early.join();
    wrong.unless(order == "el" && now() - start >= 2'000'000);
  });
}

TEST_P(threads, an_exception_reaches_the_joiner) {
  expect([](faults& wrong) {
    thread one = thread::create([] { throw std::out_of_range("mine"); });
    try {
      one.join();
      wrong.unless(false);
    } catch (const std::out_of_range& problem) {
      wrong.unless(problem.what() == std::string("mine"));
    }
  });
}

/// Threads that handle exceptions in turn: each has its own.
TEST_P(threads, that_switch_while_they_handle_exceptions_keep_theirs) {
  expect([](faults& wrong) {
    const auto nested = [&wrong](int mine) {
      for (int i = 0; i < 3; ++i) try {
          throw mine;
        } catch (int) {
          this_thread::yield();
          try {
            this_thread::yield();
            throw std::to_string(mine);
          } catch (const std::string& text) {
            this_thread::yield();
            wrong.unless(text == std::to_string(mine));
          }
          this_thread::yield();
          try {
            throw;
          } catch (int again) { wrong.unless(again == mine); }
        }
      wrong.unless(std::uncaught_exceptions() == 0);
    };
    thread one = thread::create(nested, 1), two = thread::create(nested, 2);
    nested(3);
    one.join();
    two.join();
  });
}

TEST_P(threads, wait_for_slots_that_anybody_signals) {
  expect([](faults& wrong) {
    this_thread::await([](slot_ref done) { done.signal(); });  // returns at once
    slot_ref waiting;
    thread one =
        thread::create([&] { this_thread::await([&](slot_ref done) { waiting = done; }); });
    this_thread::yield();
    waiting.signal();
    one.join();
    static_cast<void>(wrong);
  });
}

/// On every processor a thread that the root's thread joins.
struct makes_a_thread : threaded<makes_a_thread> {
  step start(int number, reply<slot_ref> to) {
    to.send(thread::create([number] {
              this_thread::yield();
              if (number % 2 == 1) throw std::runtime_error("odd " + std::to_string(number));
            }).release());
    return done;
  }
};

TEST_P(threads, of_other_processors_are_joined_and_their_exceptions_arrive) {
  expect([](faults& wrong) {
    for (std::uint32_t at = 0; at < terrane::processors(); ++at) {
      slot_ref made;
      this_thread::await([&](slot_ref done) {
        activation<makes_a_thread, false>::invoke(at, static_cast<int>(at),
                                                  reply<slot_ref>{{done.raw, &made}});
      });
      thread remote = thread::take(made);
      std::string said;
      try {
        remote.join();
      } catch (const std::runtime_error& problem) { said = problem.what(); }
      wrong.unless(said == (at % 2u == 1u ? "odd " + std::to_string(at) : ""));
    }
  });
}

// --- misuse is named ---

class thread_errors : public run_to_failure {
 protected:
  static void expect_named(const std::string& sentence, thread_code code) {
    int count = 0;
    expect_failure<in_a_thread>(machine_of(1), sentence, &count, code);
  }
};

struct joins_in_a_fiber : threaded<joins_in_a_fiber> {
  step start(int) {
    thread one = thread::create([] {});
    one.join();
    return done;
  }
};

TEST_F(thread_errors, blocking_in_a_fiber) {
  expect_failure<joins_in_a_fiber>(machine_of(1), "R-281: join may block, and a fiber never does",
                                   0);
}

TEST_F(thread_errors, an_exception_that_nobody_will_hear_of) {
  expect_named("R-284: an exception left thread silent, which was detached: mine", [](faults&) {
    thread one = thread::create({.name = "silent"}, [] { throw std::runtime_error("mine"); });
    one.detach();
    this_thread::yield();
  });
}

TEST_F(thread_errors, a_priority_out_of_range) {
  expect_named("R-282: thread .* was to have priority 8",
               [](faults&) { thread one = thread::create({.priority = 8}, [] {}); });
}

TEST_F(thread_errors, joined_by_two) {
  expect_named(
      "R-282: somebody waits for the end of thread sought, which another waits for already",
      [](faults&) {
        thread sought = thread::create({.name = "sought"}, [] {
          for (;;) this_thread::yield();
        });
        const slot_ref its = sought.release();
        thread first = thread::create([its] { thread::take(its).join(); });
        this_thread::yield();
        this_thread::yield();
        thread::take(its).join();
      });
}

TEST_F(thread_errors, joined_by_itself) {
  expect_named("R-282: thread self would wait for its own end", [](faults&) {
    static slot_ref its;
    thread self = thread::create({.name = "self"}, [] { thread::take(its).join(); });
    its = self.release();
    this_thread::yield();
  });
}

TEST_F(thread_errors, joined_twice) {
  expect_named("R-282: a thread was joined or detached that had been already", [](faults&) {
    thread one = thread::create([] {});
    const slot_ref name = one.release();
    thread::take(name).join();
    thread::take(name).join();
  });
}

#ifndef TERRANE_ASAN
int deep(int n) {
  volatile char room[512];
  room[0] = static_cast<char>(n);
  return n == 0 ? room[0] : deep(n - 1) + room[0];
}

TEST_F(thread_errors, a_stack_that_overflows) {
  expect_named(
      "R-280: the stack of thread small has overflowed: it has [0-9]+ bytes; give it "
      "more with thread_options..stack_bytes = 131072",
      [](faults&) {
        thread one =
            thread::create({.name = "small", .stack_bytes = 64 << 10}, [] { deep(1'000'000); });
        one.join();
      });
}
#endif

}  // namespace
}  // namespace terrane
