// SPDX-License-Identifier: Apache-2.0
// exceptions_test.cpp: exceptions are thrown at every boundary: the joiner gets the right one, no
// object that lived meanwhile is left on any node, and nothing hangs.
#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/bundle_policies.hpp"
#include "terrane/thread/cancel_scope.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/parallel.hpp"
#include "tests/support/moving_threads.hpp"

namespace terrane {
namespace {

class exceptions : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, exceptions, small_machines(), machine_name);

// --- what is counted: exceptions and locals, in each process ---

std::atomic<long> live_here;

struct counted {
  counted() { ++live_here; }
  counted(const counted&) { ++live_here; }
  counted& operator=(const counted&) = default;
  ~counted() { --live_here; }
};

/// Says which it is and on which node it was thrown.
struct failure : std::runtime_error {
  explicit failure(long which)
      : runtime_error(std::to_string(which) + " on node " + std::to_string(node_now())) {}
  counted alive;
};

struct tells_live : threaded<tells_live> {
  step start(reply<long> to) {
    to.send(live_here);
    return done;
  }
};

/// What lives on the node of that processor.
long live_at(std::uint32_t processor) {
  long there = 0;
  this_thread::await([&](slot_ref done) {
    activation<tells_live, false>::invoke(processor, reply<long>{{done.raw, &there}});
  });
  return there;
}

/// The code that threw may still be unwinding when its answer has come.
void expect_none_lives(faults& wrong) {
  for (std::uint32_t at = 0; at < terrane::processors(); ++at) {
    for (int i = 0; live_at(at) != 0 && i < 10'000; ++i) this_thread::sleep_for(100'000);
    wrong.unless(live_at(at) == 0);
  }
}

/// What `join` throws must be of that number: itself if it was thrown on this node, else its text.
template <class Join>
void expect_failure_of(faults& wrong, long which, Join&& join) {
  const std::string begins = std::to_string(which) + " on node ";
  const std::string here = begins + std::to_string(node_now());
  try {
    std::forward<Join>(join)();
    wrong.unless(false);
  } catch (const failure& itself) {
    wrong.unless(itself.what() == here);
  } catch (const remote_exception& told) {
    const std::string says = told.what();
    wrong.unless(says.starts_with(begins) && says != here);
  }
}

// --- futures ---

long odd_ones_fail(long n) {
  const counted local;
  if (n % 2 == 1) throw failure(n);
  return n;
}

TEST_P(exceptions, of_many_futures_each_reaches_its_own_join) {
  expect([](faults& wrong) {
    constexpr long made = 60;
    std::vector<future<long>> all;
    for (long i = 0; i < made; ++i) all.push_back(spawn(odd_ones_fail, i));
    for (long i = 0; i < made; ++i) {
      const long which = i * 7 % made;
      auto& its = all[static_cast<std::size_t>(which)];
      if (which % 2 == 0)
        wrong.unless(its.join() == which);
      else
        expect_failure_of(wrong, which, [&] { its.join(); });
    }
    expect_none_lives(wrong);
  });
}

/// The left half fails while the right one, which fails too, is outstanding: it is joined as the
/// frame is left, and nobody hears of it.
long both_halves_fail(int depth) {
  const counted local;
  if (depth == 0) throw failure(depth);
  auto right = spawn(both_halves_fail, depth - 1);
  const counted another;
  return both_halves_fail(depth - 1) + right.join();
}

TEST_P(exceptions, unwind_over_futures_that_are_outstanding) {
  expect([](faults& wrong) {
    for (int i = 0; i < 3; ++i) {
      std::string heard;
      try {
        spawn(both_halves_fail, 6).join();
      } catch (const std::exception& what) { heard = what.what(); }
      wrong.unless(heard.starts_with("0 on node "));
    }
    expect_none_lives(wrong);
  });
}

long throws_a_number(long n) {
  const counted local;
  throw n;
}

TEST_P(exceptions, that_are_no_std_exceptions_arrive_within_a_node_and_are_told_of_elsewhere) {
  expect([](faults& wrong) {
    std::vector<future<long>> all;
    for (long i = 0; i < 20; ++i) all.push_back(spawn(throws_a_number, i));
    for (long i = 0; i < 20; ++i) try {
        all[static_cast<std::size_t>(i)].join();
        wrong.unless(false);
      } catch (long itself) { wrong.unless(itself == i); } catch (const remote_exception& told) {
        wrong.unless(told.what() == std::string("an exception that is no std::exception"));
      }
    expect_none_lives(wrong);
  });
}

TEST_P(exceptions, of_dropped_futures_are_not_heard_and_not_kept) {
  expect([](faults& wrong) {
    for (long i = 0; i < 40; ++i) static_cast<void>(spawn(odd_ones_fail, i));
    {
      std::vector<future<long>> all;
      for (long i = 0; i < 40; ++i) all.push_back(spawn(odd_ones_fail, i));
    }
    expect_none_lives(wrong);
  });
}

long waits_then_fails(long n) {
  const counted local;
  this_thread::sleep_for(50'000);
  throw failure(n);
}

TEST_P(exceptions, of_futures_that_block_reach_whoever_waits) {
  expect([](faults& wrong) {
    std::vector<future<long>> all;
    for (long i = 0; i < 20; ++i) all.push_back(spawn(waits_then_fails, i));
    for (long i = 20; i-- > 0;)
      expect_failure_of(wrong, i, [&] { all[static_cast<std::size_t>(i)].join(); });
    expect_none_lives(wrong);
  });
}

// --- threads ---

struct makes_a_thrower : threaded<makes_a_thrower> {
  step start(int number, reply<slot_ref> to) {
    to.send(thread::create([number] {
              const counted local;
              this_thread::yield();
              throw failure(number);
            }).release());
    return done;
  }
};

TEST_P(exceptions, of_threads_of_every_processor_reach_their_joiner) {
  expect([](faults& wrong) {
    for (std::uint32_t at = 0; at < terrane::processors(); ++at) {
      slot_ref made;
      this_thread::await([&](slot_ref done) {
        activation<makes_a_thrower, false>::invoke(at, static_cast<int>(at),
                                                   reply<slot_ref>{{done.raw, &made}});
      });
      expect_failure_of(wrong, at, [&] { thread::take(made).join(); });
    }
    expect_none_lives(wrong);
  });
}

TEST_P(exceptions, of_threads_that_ended_first_or_are_in_a_bundle_are_kept_for_the_join) {
  expect([](faults& wrong) {
    bundle group(std::make_unique<lifo>());
    for (const thread_options& how :
         {thread_options{}, thread_options{.in = &group}, thread_options{.priority = 2}}) {
      std::vector<thread> all;
      for (long i = 0; i < 8; ++i)
        all.push_back(thread::create(how, [i] {
          const counted local;
          throw failure(i);
        }));
      for (int i = 0; i < 3; ++i) this_thread::yield();
      for (const long which : {7, 0, 6, 1, 3, 2, 4, 5})
        expect_failure_of(wrong, which, [&] { all[static_cast<std::size_t>(which)].join(); });
    }
    {
      const thread dropped = thread::create([] { throw failure(1); });
    }
    expect_none_lives(wrong);
  });
}

TEST_P(exceptions, of_threads_that_moved_reach_the_joiner_at_home) {
  expect([](faults& wrong) {
    std::vector<thread> all;
    for (std::uint32_t i = 0; i < 8; ++i)
      all.push_back(thread::create_migratable({}, [i] {
        goes_to(i % terrane_nodes(), all_forms[i % 3]);
        throw failure(i);
      }));
    for (std::uint32_t i = 0; i < 8; ++i) expect_failure_of(wrong, i, [&] { all[i].join(); });
    expect_none_lives(wrong);
  });
}

TEST_P(exceptions, give_back_the_locks_that_they_pass) {
  expect([](faults& wrong) {
    mutex lock;
    long sum = 0;
    std::vector<thread> all;
    for (long i = 0; i < 10; ++i)
      all.push_back(thread::create([&, i] {
        const std::lock_guard hold(lock);
        this_thread::yield();
        if (i % 2 == 1) throw failure(i);
        sum += i;
      }));
    for (long i = 0; i < 10; ++i) {
      auto& its = all[static_cast<std::size_t>(i)];
      if (i % 2 == 0)
        its.join();
      else
        expect_failure_of(wrong, i, [&] { its.join(); });
    }
    wrong.unless(sum == 20 && lock.try_lock());
    lock.unlock();
    expect_none_lives(wrong);
  });
}

// --- loops, reductions, groups ---

/// Runs `task`, which fails at one place of those named: what is heard is of that one.
template <class Task>
void expect_each_heard(faults& wrong, const std::vector<long>& places, Task&& task) {
  for (const long fails_at : places) {
    std::string heard;
    try {
      task(fails_at);
    } catch (const std::exception& what) { heard = what.what(); }
    wrong.unless(heard.starts_with(std::to_string(fails_at) + " on node "));
  }
  expect_none_lives(wrong);
}

TEST_P(exceptions, leave_loops_once_all_else_has_ended) {
  expect([](faults& wrong) {
    expect_each_heard(wrong, {0, 1, 499, 998, 999}, [&](long fails_at) {
      std::atomic<int> at_work = 0;
      try {
        parallel_for(0L, 1000L, [&, fails_at](long i) {
          const counted local;
          ++at_work;
          if (i % 100 == 50) this_thread::yield();
          --at_work;
          if (i == fails_at) throw failure(i);
        });
      } catch (...) {
        wrong.unless(at_work == 0);
        throw;
      }
    });
  });
}

TEST_P(exceptions, of_loops_that_fail_everywhere_are_one) {
  expect([](faults& wrong) {
    for (int round = 0; round < 3; ++round) {
      int heard = 0;
      try {
        parallel_for(0L, 200L, [](long i) { throw failure(i); });
      } catch (const failure&) { ++heard; } catch (const remote_exception&) {
        ++heard;
      }
      wrong.unless(heard == 1);
    }
    expect_none_lives(wrong);
  });
}

/// Which element fails lies where every node finds it: in the range itself.
template <long FailsAt>
long square_or_fail(long i) {
  const counted local;
  if (i == FailsAt) throw failure(i);
  return i * i;
}
template <long FailsAt>
long reduce_with_a_failure() {
  const auto map = [](long i) { return square_or_fail<FailsAt>(i); };  // any node may take a part
  return parallel_reduce(0L, 300L, 0L, map, std::plus<long>());
}

TEST_P(exceptions, leave_reductions_from_their_elements_and_their_sums) {
  expect([](faults& wrong) {
    wrong.unless(reduce_with_a_failure<-1>() == 8'955'050);
    expect_each_heard(wrong, {0}, [](long) { reduce_with_a_failure<0>(); });
    expect_each_heard(wrong, {150}, [](long) { reduce_with_a_failure<150>(); });
    expect_each_heard(wrong, {299}, [](long) { reduce_with_a_failure<299>(); });
    expect_each_heard(wrong, {7}, [](long) {
      const auto sum = [](long a, long b) {
        const counted local;
        if (a + b > 10'000) throw failure(7);
        return a + b;
      };
      parallel_reduce(0L, 300L, 0L, square_or_fail<-1>, sum);
    });
  });
}

TEST_P(exceptions, leave_groups_from_each_of_their_calls) {
  expect([](faults& wrong) {
    expect_each_heard(wrong, {0, 1, 2, 3}, [&](long fails_at) {
      std::atomic<int> ended = 0;
      const auto call = [&](long number) {
        const counted local;
        this_thread::yield();
        ++ended;
        if (number == fails_at) throw failure(number);
      };
      try {
        invoke([&] { call(0); }, [&] { call(1); }, [&] { call(2); }, [&] { call(3); });
      } catch (...) {
        wrong.unless(ended == 4);
        throw;
      }
    });
  });
}

// --- scopes ---

long fails_in_scope(scope_ref all, long n) {
  const counted local;
  if (all.cancelled()) return -1;
  if (n == 13) throw failure(n);
  this_thread::yield();
  return n;
}

TEST_P(exceptions, that_cancel_a_scope_reach_their_own_join_and_no_other) {
  expect([](faults& wrong) {
    for (int round = 0; round < 3; ++round) {
      cancel_scope scope;
      std::vector<future<long>> all;
      for (long i = 0; i < 40; ++i) all.push_back(scope.spawn(fails_in_scope, scope.ref(), i));
      int cancelled_ones = 0;
      for (long i = 0; i < 40; ++i) {
        std::string heard;
        long got = i;
        try {
          got = all[static_cast<std::size_t>(i)].join();
        } catch (const std::exception& what) { heard = what.what(); }
        cancelled_ones += heard == "cancelled" || got == -1;
        if (heard.empty())
          wrong.unless(i != 13 && (got == i || got == -1));
        else
          wrong.unless(heard == "cancelled" || (i == 13 && heard.starts_with("13 on node ")));
      }
      wrong.unless(scope.cancelled() && cancelled_ones < 40);
    }
    expect_none_lives(wrong);
  });
}

}  // namespace
}  // namespace terrane
