// SPDX-License-Identifier: Apache-2.0
// bundle_test.cpp: bundles and their policies: who runs next, and what a policy hears.
#include "terrane/thread/bundle.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/bundle_policies.hpp"
#include "terrane/thread/mutex.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class bundles : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, bundles, small_machines(), machine_name);

template <class Policy>
std::unique_ptr<bundle_policy> make() {
  return std::make_unique<Policy>();
}

/// Threads named a, b, c, ... each of which writes its name, yields, and writes it again.
std::string order_in(bundle& in, std::vector<thread_options> how) {
  std::string order;
  std::vector<thread> all;
  char name = 'a';
  for (thread_options& each : how) {
    each.in = &in;
    all.push_back(thread::create(each, [&order, name] {
      order += name;
      this_thread::yield();
      order += name;
    }));
    ++name;
  }
  for (thread& each : all) each.join();
  return order;
}

TEST_P(bundles, fifo_runs_them_in_turn) {
  expect([](faults& wrong) {
    bundle group(make<fifo>());
    wrong.unless(order_in(group, std::vector<thread_options>(3)) == "abcabc");
  });
}

TEST_P(bundles, lifo_runs_the_newest_to_its_end) {
  expect([](faults& wrong) {
    bundle group(make<lifo>());
    wrong.unless(order_in(group, std::vector<thread_options>(3)) == "ccbbaa");
  });
}

TEST_P(bundles, a_lazy_stack_starts_nobody_while_another_can_go_on) {
  expect([](faults& wrong) {
    bundle group(make<lazy_stack>());
    wrong.unless(order_in(group, std::vector<thread_options>(4)) == "ddccbbaa");
  });
}

TEST_P(bundles, priorities_are_kept_within_a_bundle) {
  expect([](faults& wrong) {
    bundle group(make<by_priority>());
    std::vector<thread_options> how(3);
    how[0].priority = 6;
    how[1].priority = 1;
    how[2].priority = 3;
    wrong.unless(order_in(group, how) == "bbccaa");
  });
}

TEST_P(bundles, affinity_keeps_together_what_is_about_the_same) {
  expect([](faults& wrong) {
    bundle group(make<affinity>());
    std::vector<thread_options> how(4);
    for (std::size_t i = 0; i < how.size(); ++i) how[i].about = static_cast<int>(i % 2);
    wrong.unless(order_in(group, how) == "acacbdbd");
  });
}

/// A tree of threads, each of which makes two more and waits for them: the most that live at once.
template <class Policy>
int most_alive(int depth) {
  struct tree {
    bundle group{make<Policy>()};
    int alive = 0, most = 0;
    void grow(int levels) {
      most = std::max(most, ++alive);
      if (levels > 0) {
        thread left = thread::create({.in = &group}, [=, this] { grow(levels - 1); });
        thread right = thread::create({.in = &group}, [=, this] { grow(levels - 1); });
        left.join();
        right.join();
      }
      --alive;
    }
  } all;
  thread root = thread::create({.in = &all.group}, [&] { all.grow(depth); });
  root.join();
  return all.most;
}

TEST_P(bundles, the_memory_conscious_order_holds_as_much_as_one_path) {
  expect([](faults& wrong) {
    const int careful = most_alive<memory_conscious>(6), broad = most_alive<fifo>(6);
    wrong.unless(careful <= 10 && broad >= 60);
  });
}

// --- events ---

/// A policy of a user: it records every event, and keeps its threads in order of their names.
class by_name : public bundle_policy {
 public:
  explicit by_name(std::map<std::string, int>& heard) : heard_(heard) {}
  void on_thread_created(thread_block& fresh) override {
    ++heard_["created"];
    ready_.emplace(fresh.thread_name(), &fresh);
  }
  void on_thread_started(thread_block&) override { ++heard_["started"]; }
  void on_thread_terminated(thread_block&) override { ++heard_["terminated"]; }
  void on_thread_blocked(thread_block&) override { ++heard_["blocked"]; }
  void on_thread_unblocked(thread_block& ready) override {
    ++heard_["unblocked"];
    ready_.emplace(ready.thread_name(), &ready);
  }
  void on_bundle_created(bundle&) override { ++heard_["bundle created"]; }
  void on_bundle_terminated(bundle&) override { ++heard_["bundle terminated"]; }
  thread_block* on_processor_idle(bundle& asked) override {
    ++heard_["idle"];
    if (ready_.empty()) return asked.ask_children();
    thread_block* const next = ready_.begin()->second;
    ready_.erase(ready_.begin());
    return next;
  }
  void on_event(bundle&, int kind, void*) override { heard_["user"] += kind; }

 private:
  std::map<std::string, int>& heard_;
  std::multimap<std::string, thread_block*> ready_;
};

TEST_P(bundles, a_users_own_hears_all_events) {
  expect([](faults& wrong) {
    std::map<std::string, int> heard;
    std::string order;
    {
      bundle group(std::make_unique<by_name>(heard));
      mutex lock;
      lock.lock();
      std::vector<thread> all;
      for (const char* name : {"zoe", "adam", "mia"})
        all.push_back(thread::create({.name = name, .in = &group}, [&] {
          order += this_thread::name()[0];
          const std::lock_guard hold(lock);
        }));
      for (int i = 0; i < 4; ++i) this_thread::yield();
      wrong.unless(order == "amz" && heard["blocked"] == 3);
      lock.unlock();
      {
        bundle child(make<fifo>(), &group);
        child.raise(5);  // forwarded
        thread::create({.in = &child}, [&] { order += 'c'; }).join();
      }
      for (thread& each : all) each.join();
    }
    wrong.unless(order == "amzc" && heard["created"] == 3 && heard["started"] == 3 &&
                 heard["terminated"] == 3 && heard["unblocked"] == 3 && heard["idle"] == 7 &&
                 heard["bundle created"] == 1 && heard["bundle terminated"] == 1 &&
                 heard["user"] == 5);
  });
}

TEST_P(bundles, children_are_asked_in_turn_when_their_parent_has_nothing) {
  expect([](faults& wrong) {
    bundle top(make<fifo>());
    bundle one(make<fifo>(), &top), other(make<lifo>(), &top);
    std::string order;
    std::vector<thread> all;
    for (bundle* in : {&one, &one, &other, &other, &top})
      all.push_back(thread::create({.in = in}, [&order, in, &one, &top] {
        order += in == &one ? '1' : in == &top ? 't' : '2';
      }));
    for (thread& each : all) each.join();
    wrong.unless(order == "t1212");
  });
}

TEST_P(bundles, a_policy_changes_while_threads_wait_for_their_turn) {
  expect([](faults& wrong) {
    bundle group(make<fifo>());
    std::string order;
    std::vector<thread> all;
    for (char name = 'a'; name <= 'd'; ++name)
      all.push_back(thread::create({.in = &group}, [&order, &group, name] {
        order += name;
        if (name == 'a') group.set_policy(make<lifo>());
      }));
    for (thread& each : all) each.join();
    wrong.unless(order == "adcb");
  });
}

// --- policies that do wrong ---

struct throws_when_asked : fifo {
  thread_block* on_processor_idle(bundle&) override { throw std::runtime_error("no idea"); }
};
struct throws_when_told : fifo {
  void on_thread_started(thread_block&) override { throw 7; }
};
/// A policy that returns the first thread that it was told of, again and again.
struct always_the_same : bundle_policy {
  thread_block* first = nullptr;
  void on_thread_unblocked(thread_block& ready) override { first = first ? first : &ready; }
  thread_block* on_processor_idle(bundle&) override { return first; }
};

template <class Policy>
struct has_a_bundle_of : threaded<has_a_bundle_of<Policy>> {
  using self = has_a_bundle_of;
  slot given_up = self::template on<&self::finish>(1, 0);
  step start(int threads_wait) {
    thread::create([=] {
      auto group = std::make_unique<bundle>(std::make_unique<Policy>());
      std::vector<thread> all;
      for (const char* name : {"one", "other"})
        all.push_back(thread::create({.name = name, .in = group.get()}, [=] {
          if (threads_wait != 0) this_thread::sleep_for(1'000'000'000);
        }));
      if (threads_wait == 2) group.reset();
      for (thread& each : all) each.join();
    }).detach();
    terrane_after(2'000'000'000, self::ref(given_up).raw);
    return self::wait;
  }
  step finish() { return self::done; }
};

class bundle_errors : public run_to_failure {};

TEST_F(bundle_errors, a_policy_that_throws_is_r282_with_what_it_says) {
  expect_failure<has_a_bundle_of<throws_when_asked>>(
      machine_of(1), "R-282: the policy of a bundle threw: no idea", 0);
  expect_failure<has_a_bundle_of<throws_when_told>>(
      machine_of(1), "R-282: the policy of a bundle threw what is no std::exception", 0);
}

TEST_F(bundle_errors, a_policy_that_returns_a_thread_twice_is_r282) {
  expect_failure<has_a_bundle_of<always_the_same>>(
      machine_of(1), "R-282: the policy of a bundle returned a thread that ", 0);
  expect_failure<has_a_bundle_of<always_the_same>>(
      machine_of(1), "R-282: the policy of a bundle returned a thread that is not ready, one", 1);
}

TEST_F(bundle_errors, a_bundle_destroyed_before_its_threads_have_ended_is_r282) {
  expect_failure<has_a_bundle_of<fifo>>(
      machine_of(1), "R-282: a bundle was destroyed before 2 of its threads and 0 of its child", 2);
}

}  // namespace
}  // namespace terrane
