// SPDX-License-Identifier: Apache-2.0
// where_errors_arise_test.cpp: errors that arise on another node than the one whose mistake they
// are: objects that were freed, unknown functions, futures joined elsewhere. The sentence names the
// processor that asked.
//
// Source  docs/threaded-c-errors.md.
#include <string>

#include "terrane/core/message.hpp"
#include "terrane/core/node.hpp"
#include "terrane/talk/lock.hpp"
#include "terrane/threads.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {
namespace {

class errors_of_another_node : public run_to_failure {
 protected:
  /// Root is on node 0, and the error arises there or on node 1, in every world.
  template <class Root>
  static void expect_everywhere(const std::string& sentence) {
    for (const world_row* world : worlds_to_test()) {
      SCOPED_TRACE(world->name);
      run_options options = machine_of(2);
      options.world = world->name;
      expect_failure<Root>(options, sentence, 0);
    }
  }
};

/// A root that has a lock, and would end well after two seconds.
template <class Wrong>
struct has_a_lock : threaded<has_a_lock<Wrong>> {
  using self = has_a_lock;
  lock door;
  slot got = self::template on<&self::never>(3, 0);
  slot given_up = self::template on<&self::finish>(1, 0);
  step start(int) {
    door = lock::make();
    Wrong::prepare(door, self::ref(got));
    self::template invoke<typename Wrong::elsewhere>(1, door);
    after(2'000'000'000, self::ref(given_up));
    return self::wait;
  }
  step never() { return self::done; }
  step finish() { return self::done; }
};

// --- R-261 ---

struct gives : threaded<gives> {
  step start(lock door) {
    door.give();
    return done;
  }
};
struct gives_what_was_freed {
  using elsewhere = gives;
  static void prepare(lock door, slot_ref) { door.free(); }
};

TEST_F(errors_of_another_node, an_operation_on_what_its_owner_freed_is_r261) {
  expect_everywhere<has_a_lock<gives_what_was_freed>>(
      "R-261: the lock that an operation of processor 1 came for was freed");
}

// --- R-265 ---

struct frees : threaded<frees> {
  step start(lock door) {
    door.free();
    return done;
  }
};
struct frees_what_is_awaited {
  using elsewhere = frees;
  static void prepare(lock door, slot_ref got) {
    door.take(got);
    door.take(got);
  }
};

TEST_F(errors_of_another_node, freeing_what_is_awaited_on_its_own_node_is_r265) {
  expect_everywhere<has_a_lock<frees_what_is_awaited>>("R-265: the lock was freed while 1 waits");
}

// --- R-211 ---

/// Sends an invocation of a function that no process has.
struct sends_nonsense : threaded<sends_nonsense> {
  step start(int) {
    const std::uint64_t nowhere = 0x10;
    here().send(0, entry::invoke, {&nowhere, sizeof nowhere});
    return done;
  }
};

TEST_F(errors_of_another_node, a_function_that_no_process_has_is_r211) {
  expect_everywhere<patient<sends_nonsense>>(
      "R-211: processor 1 sent work for a function at offset 0x10 with 0 bytes of arguments");
}

// --- R-290 ---

long one() { return 1; }
future<long>* shared_future = nullptr;  // nodes of world local have one memory

struct joins : threaded<joins> {
  step start(int) {
    shared_future->join();
    return done;
  }
};
struct spawns_for_another : threaded<spawns_for_another> {
  future<long> mine;
  slot given_up = on<&spawns_for_another::finish>(1, 0);
  step start(int) {
    mine = terrane::spawn(one);
    shared_future = &mine;
    invoke<joins>(1, 0);
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

TEST_F(errors_of_another_node, joining_a_future_that_another_node_spawned_is_r290) {
  run_options options = machine_of(2);
  options.balancer = "nop";
  expect_failure<spawns_for_another>(
      options, "R-290: a future was joined on processor 1, which did not spawn it", 0);
}

}  // namespace
}  // namespace terrane
