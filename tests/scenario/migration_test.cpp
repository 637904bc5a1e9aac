// SPDX-License-Identifier: Apache-2.0
// migration_test.cpp: threads that move: what they take along, what pins them, who moves them.
#include "terrane/thread/migration.hpp"

#include <cfenv>
#include <cmath>
#include <memory_resource>
#include <string>
#include <vector>

#include "terrane/thread/future.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "tests/support/moving_threads.hpp"

namespace terrane {
namespace {

class migrations : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, migrations, small_machines(), machine_name);

TEST_P(migrations, go_round_all_nodes_with_locals_and_floating_point_state) {
  expect([](faults& wrong) {
    for (const stack_form form : all_forms)
      in_moving_threads(wrong, 1, [form](int) {
        bool right = true;
        double product = 1.5;
        long sum = 0;
        std::fesetround(FE_UPWARD);
        for (node_id i = 0; i < 2 * terrane_nodes(); ++i) {
          const node_id next = (node_now() + 1) % terrane_nodes();
          right = right && goes_to(next, form) && std::fegetround() == FE_UPWARD;
          product *= 1.25;
          sum += static_cast<long>(next);
        }
        std::fesetround(FE_TONEAREST);
        const long all = terrane_nodes();
        return right && (!is_moving_possible() || sum == all * (all - 1)) &&
               product == 1.5 * std::pow(1.25, 2.0 * static_cast<double>(all));
      });
  });
}

TEST_P(migrations, keep_deep_stacks) {
  expect([](faults& wrong) {
    for (const stack_form form : all_forms)
      in_moving_threads(wrong, 4, [form](int which) {
        return deep(which * 7 + 1, 0x5eed + static_cast<std::uint64_t>(which), form);
      });
  });
}

TEST_P(migrations, may_be_many_at_once_at_random) {
  expect([](faults& wrong) {
    in_moving_threads(wrong, 8, [](int which) { return wanders(which, 150); });
  });
}

[[gnu::noinline]] void goes_and_throws(node_id to) {
  const std::string text = "far away";  // on the stack itself; destroyed there
  goes_to(to, stack_form::best);
  throw std::runtime_error(text);
}

TEST_P(migrations, let_exceptions_through_that_were_thrown_elsewhere) {
  expect([](faults& wrong) {
    in_moving_threads(wrong, 2, [](int which) {
      try {
        goes_and_throws(static_cast<node_id>(which + 1) % terrane_nodes());
      } catch (const std::runtime_error& known) {
        return std::string(known.what()) == "far away" &&
               (terrane_nodes() == 1 ||
                this_thread::can_migrate() ==
                    (is_moving_possible() ? migration::handles_exception : migration::stays));
      }
      return false;
    });
    thread fails = thread::create_migratable({}, [] {
      goes_to(terrane_nodes() - 1, stack_form::best);
      throw std::runtime_error("to whoever joins");
    });
    bool thrown = false;
    try {
      fails.join();
    } catch (const std::runtime_error& known) {
      thrown = std::string(known.what()) == "to whoever joins";
    }
    wrong.unless(thrown);
  });
}

TEST_P(migrations, are_refused_with_what_pins_the_thread) {
  expect([](faults& wrong) {
    if (terrane_nodes() == 1) return;
    wrong.unless(this_thread::can_migrate() == migration::not_migratable);
    wrong.unless(this_thread::push_self(1) == migration::not_migratable);
    in_moving_threads(wrong, 1, [](int) {
      if (!is_moving_possible()) return this_thread::can_migrate() == migration::stays;
      bool right = goes_to(0, stack_form::best) && this_thread::can_migrate() == migration::moved;
      right = right && this_thread::push_self(terrane_nodes()) == migration::no_such_node;
      right = right && this_thread::push_self(node_now()) == migration::is_there;
      {
        const this_thread::stay_here here_it_is;
        right = right && this_thread::push_self(1) == migration::pinned;
      }
      mutex lock;
      lock.lock();
      right = right && this_thread::push_self(1) == migration::holds_lock;
      lock.unlock();
      auto later = spawn([](int n) { return n; }, 3);
      right = right && this_thread::push_self(1) == migration::has_futures;
      right = right && later.join() == 3;
      this_thread::await([&](slot_ref done) {
        right = right && this_thread::push_self(1) == migration::expects_signal;
        terrane_signal(done.raw);
      });
      right = right && this_thread::can_migrate() == migration::moved;
      right = right && goes_to(0, stack_form::best);
      static per_thread<std::string> mine;
      mine->assign("here");
      return right && this_thread::push_self(1) == migration::has_own_memory;
    });
  });
}

/// Containers in its heap, and variables of its own, taken on several nodes.
bool takes_its_heap_along(int which, stack_form form) {
  static per_thread<long> hops;
  std::pmr::vector<std::pmr::string> texts(&this_thread::heap());
  std::pmr::vector<int> many(&this_thread::heap());
  bool right = true;
  for (node_id i = 1; i <= 2 * terrane_nodes(); ++i) {
    for (int n = 0; n < 3000; ++n) many.push_back(which + n);
    texts.emplace_back("one that is too long to lie in the string itself, of node ");
    texts.back() += std::to_string(node_now());
    const node_id before = node_now();
    right = right && goes_to((before + 1) % terrane_nodes(), form) && ++*hops == i;
    right = right && texts.back().ends_with("of node " + std::to_string(before));
  }
  for (std::size_t n = 0; n < many.size(); ++n)
    right = right && many[n] == which + static_cast<int>(n % 3000);
  return right && texts.size() == 2 * terrane_nodes();
}

/// Where this processor's pool of stacks for threads that move takes new ones: of a size that
/// nothing else here has.
const char* where_new_stacks_are() {
  stack_pool& pool = thread_seat::here().moving_stacks();
  return pool.take(std::size_t{1} << 20).span.low;
}

TEST_P(migrations, take_their_heap_along_and_give_it_back) {
  expect([](faults& wrong) {
    const char* const before = where_new_stacks_are();
    for (int round = 0; round < 25; ++round)
      for (const stack_form form : all_forms)
        in_moving_threads(wrong, 4,
                          [form](int which) { return takes_its_heap_along(which, form); });
    // Four at a time need less than a megabyte each; all of them would need some hundred.
    wrong.unless(where_new_stacks_are() - before < std::ptrdiff_t{24} << 20);
  });
}

TEST_P(migrations, of_ready_threads_are_pushed_by_others) {
  expect([](faults& wrong) {
    const node_id last = terrane_nodes() - 1;
    const bool possible = is_moving_possible();
    const migration expected = possible    ? migration::moved
                               : last == 0 ? migration::is_there
                                           : migration::stays;
    for (int i = 0; i < 10; ++i) {
      thread fresh = thread::create_migratable({}, [last] {
        if (node_now() != last) throw std::runtime_error("is on another node");
      });
      const migration how = i % 2 == 0 ? push(fresh, last) : push_async(fresh, last);
      // A processor that wants work may have been quicker.
      wrong.unless(how == expected || how == migration::not_ready);
      if (how == migration::moved && possible)
        fresh.join();
      else
        try {
          fresh.join();
        } catch (const std::runtime_error&) {}
    }
    wrong.unless(push(static_cast<node_id>(terrane_nodes())) == migration::no_such_node);
  });
}

TEST_P(migrations, end_where_they_like_in_any_number) {
  expect([](faults& wrong) {
    std::vector<thread> all;
    for (int i = 0; i < 100; ++i)
      all.push_back(thread::create_migratable({}, [i] {
        this_thread::yield();
        goes_to(static_cast<node_id>(i) % terrane_nodes(), stack_form::best);
        this_thread::yield();
      }));
    for (thread& each : all) each.join();
    wrong.unless(all.size() == 100);
  });
}

// --- who moves them: seen best where all nodes are in one process and the schedule is known ---

int ran_on[8], came, gone;

struct counts_moves : migration_events {
  void outgoing(thread_block&, node_id) override { ++gone; }
  bundle* incoming(thread_block& comes, node_id from) override {
    if (from != node_now() && comes.its_stack().span.low) ++came;
    return nullptr;
  }
};

void run_under_sim(const char* balancer, int nodes, thread_code code) {
  for (int& each : ran_on) each = 0;
  came = gone = 0;
  run_options options;
  options.world = "sim";
  options.nodes = nodes;
  options.processors = 1;
  options.balancer = balancer;
  int count = -1;
  const auto outcome = run_machine<in_a_thread>(options, &count, code);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(outcome.left.frames, 0u);
}

constexpr operation work{"work", 1e6};

/// Threads that run where they are put, in three pieces with yields between.
std::vector<thread> many_in_pieces(int count) {
  std::vector<thread> all;
  for (int i = 0; i < count; ++i)
    all.push_back(thread::create_migratable({}, [] {
      for (int piece = 0; piece < 3; ++piece) {
        charge(work, 1);
        ++ran_on[node_now()];
        this_thread::yield();
      }
    }));
  return all;
}

TEST(migrating_threads, are_moved_by_every_balancer_as_tokens_are) {
  for (const char* balancer :
       {"rand", "spn", "dual", "his", "shis", "snd", "range", "catapult", "adaptive"}) {
    run_under_sim(balancer, 4, [](faults&) {
      for (thread& each : many_in_pieces(64)) each.join();
    });
    EXPECT_EQ(ran_on[0] + ran_on[1] + ran_on[2] + ran_on[3], 64 * 3) << balancer;
    EXPECT_LT(ran_on[0], 64 * 3) << balancer;
  }
}

TEST(migrating_threads, are_not_moved_where_nobody_asks) {
  run_under_sim("nop", 4, [](faults&) {
    for (thread& each : many_in_pieces(8)) each.join();
  });
  EXPECT_EQ(ran_on[0], 8 * 3);
}

TEST(migrating_threads, are_stolen) {
  run_under_sim("nop", 3, [](faults& wrong) {
    std::vector<thread> all = many_in_pieces(20);
    thread thief = thread::create_migratable({.priority = 0}, [] {
      goes_to(2, stack_form::best);
      for (int i = 0; i < 4; ++i) came += steal_from(0) == migration::moved;
      for (int i = 0; i < 4; ++i) came += steal() == migration::moved;
      came += steal_from(1) == migration::nothing_to_take;
      came += steal_from(3) == migration::no_such_node;
      came += steal_from(2) == migration::is_there;
      migration how = migration::pinned;
      this_thread::await([&](slot_ref told) { steal_async(0, how, told); });
      came += how == migration::moved;
    });
    wrong.unless(push(thief, 1) == migration::moved);
    for (thread& each : all) each.join();
    thief.join();
  });
  EXPECT_EQ(came, 12);
  EXPECT_GE(ran_on[2], 9);
}

TEST(migrating_threads, are_heard_of_when_they_leave_and_come) {
  run_under_sim("nop", 2, [](faults& wrong) {
    counts_moves hears;
    set_migration_events(&hears);
    in_moving_threads(
        wrong, 5, [](int) { return goes_to(1, stack_form::best) && goes_to(0, stack_form::best); });
    set_migration_events(nullptr);
  });
  EXPECT_EQ(gone, 5);
  EXPECT_EQ(came, 5);
}

struct refuses_all : migration_events {
  int asked = 0;
  bool accepts(node_id from) override {
    ++asked;
    return from == node_now();
  }
};
refuses_all door;

TEST(migrating_threads, that_a_node_refuses_go_on_where_they_were) {
  door.asked = 0;
  run_under_sim("nop", 3, [](faults& wrong) {
    thread doorman = thread::create_migratable({}, [] {
      goes_to(1, stack_form::best);
      set_migration_events(&door);
    });
    doorman.join();
    for (const stack_form form : all_forms)
      in_moving_threads(wrong, 2, [form](int) {
        bool right = goes_to(2, form);
        for (int i = 0; i < 3; ++i)
          right = right && this_thread::push_self(1, form) == migration::refused && node_now() == 2;
        return right && goes_to(0, form);
      });
    thread fresh = thread::create_migratable({}, [] { ++ran_on[node_now()]; });
    wrong.unless(push(fresh, 1) == migration::refused);
    fresh.join();
  });
  EXPECT_EQ(ran_on[0], 1);
  EXPECT_EQ(door.asked, 19);
}

/// 1,000,000 moves of a random kind from random depths; a test of its own run.
class long_migrations : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, long_migrations,
                         testing::Values(machine_shape{"local", 2, 1, "rand", -1},
                                         machine_shape{"local", 4, 2, "rand", -1},
                                         machine_shape{"shm", 2, 1, "rand", -1},
                                         machine_shape{"shm", 4, 2, "rand", -1}),
                         machine_name);

TEST_P(long_migrations, a_million_leave_nothing_behind) {
  expect([](faults& wrong) {
    in_moving_threads(wrong, 50, [](int which) { return wanders(which, 40'000); });
  });
}

}  // namespace
}  // namespace terrane
