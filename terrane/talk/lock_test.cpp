// SPDX-License-Identifier: Apache-2.0
// lock_test.cpp: locks and semaphores serve whoever asks in the order of asking.
#include "terrane/talk/lock.hpp"

#include <array>

#include "terrane/talk/semaphore.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class locks : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, locks, small_machines(), machine_name);

/// Makes a lock where it is activated.
struct maker : threaded<maker> {
  step start(reply<lock> to) {
    to.send(lock::make());
    return done;
  }
};

/// Asks four times for a lock of the last processor, in order, and is served in order.
struct asks_in_order : threaded<asks_in_order> {
  int* faults;
  lock door;
  int held = 0, served = 0;
  join made = on<&asks_in_order::ask>();
  slot first = on<&asks_in_order::got_first>(1, 0);
  slot second = on<&asks_in_order::got_second>(1, 0);
  slot third = on<&asks_in_order::got_third>(1, 0);

  step start(int* count) {
    faults = count;
    *faults = 0;
    invoke<maker>(processors() - 1, made.into(door));
    return await(made);
  }
  step ask() {
    door.take(ref(first));
    door.take(ref(second));
    door.take(ref(third));
    return wait;
  }
  step got_first() { return serve(0); }
  step got_second() { return serve(1); }
  step got_third() { return serve(2); }
  step serve(int number) {
    *faults += served++ != number || ++held != 1;
    --held;
    door.give();
    if (served < 3) return wait;
    door.free();
    return done;
  }
};

TEST_P(locks, are_got_in_the_order_of_asking) { expect_no_faults<asks_in_order>(); }

/// Three permits, ten who each hold one across two messages: never more than three at once.
struct guest : threaded<guest> {
  semaphore room;
  global<std::int64_t> inside;
  reply<std::int64_t> most;
  std::int64_t before = 0, after = 0;
  slot in = on<&guest::enter>(1);
  slot entered = on<&guest::leave>(1);
  slot left = on<&guest::finish>(1);

  step start(semaphore the_room, global<std::int64_t> how_many, reply<std::int64_t> to) {
    room = the_room;
    inside = how_many;
    most = to;
    room.take(ref(in));
    return wait;
  }
  step enter() {
    atomic_add(1, inside, before, ref(entered));
    return wait;
  }
  step leave() {
    atomic_add(-1, inside, after, ref(left));
    return wait;
  }
  step finish() {
    room.give();
    most.send(before + 1);
    return done;
  }
};
struct host : threaded<host> {
  int* faults;
  std::int64_t inside = 0;
  std::array<std::int64_t, 10> seen{};
  join all = on<&host::count>();
  semaphore room = semaphore::make(3);

  step start(int* count) {
    faults = count;
    for (std::uint32_t i = 0; i < seen.size(); ++i)
      invoke<guest>(i % processors(), room, to_global(inside), all.into(seen[i]));
    return await(all);
  }
  step count() {
    *faults = 0;
    for (const std::int64_t each : seen) *faults += each < 1 || each > 3;
    room.free();
    return done;
  }
};

TEST_P(locks, a_semaphore_lets_in_as_many_as_it_has_permits) { expect_no_faults<host>(); }

/// Permits that were given before anybody asked are there.
struct gives_first : threaded<gives_first> {
  int* faults;
  semaphore none = semaphore::make(0);
  slot both = on<&gives_first::finish>(2, 0);
  step start(int* count) {
    faults = count;
    *faults = 1;
    none.give();
    none.give();
    none.take(ref(both));
    none.take(ref(both));
    return wait;
  }
  step finish() {
    *faults = 0;
    return done;
  }
};

TEST_P(locks, permits_wait_for_whoever_asks) { expect_no_faults<gives_first>(); }

// --- misuse ---

struct gives_what_nobody_took : threaded<gives_what_nobody_took> {
  step start(int) {
    lock::make().give();
    return done;
  }
};
struct uses_a_freed_lock : threaded<uses_a_freed_lock> {
  slot got = on<&uses_a_freed_lock::never>(1);
  step start(int) {
    const lock freed = lock::make();
    freed.free();
    lock::make();  // in the same frame, as likely as not
    freed.take(ref(got));
    return wait;
  }
  step never() { return done; }
};
struct frees_too_early : threaded<frees_too_early> {
  slot got = on<&frees_too_early::never>(2);
  step start(int) {
    const lock door = lock::make();
    door.take(ref(got));
    door.take(ref(got));
    door.free();
    return wait;
  }
  step never() { return done; }
};
struct never_made : threaded<never_made> {
  step start(int) {
    lock{}.give();
    return done;
  }
};
struct made_of_nothing : threaded<made_of_nothing> {
  step start(int) {
    lock{{~terrane_slot_ref{0}}}.give();
    return done;
  }
};
struct negative : threaded<negative> {
  step start(int) {
    semaphore::make(-1);
    return done;
  }
};

using lock_errors = run_to_failure;

TEST_F(lock_errors, giving_a_lock_that_nobody_holds_is_r264) {
  expect_failure<patient<gives_what_nobody_took>>(
      machine_of(2), "R-264: processor 1 gave back a lock that nobody held", 0);
}
TEST_F(lock_errors, an_operation_on_a_freed_lock_is_r261) {
  expect_failure<patient<uses_a_freed_lock>>(
      machine_of(2), "R-261: the lock that an operation of processor 1 came for was freed", 0);
}
TEST_F(lock_errors, an_operation_on_a_lock_that_was_never_made_is_r261) {
  expect_failure<patient<never_made>>(machine_of(2), "R-261: .* or never made", 0);
  expect_failure<patient<made_of_nothing>>(machine_of(2), "R-261: .* never made", 0);
}
TEST_F(lock_errors, freeing_a_lock_that_somebody_waits_for_is_r265) {
  expect_failure<patient<frees_too_early>>(machine_of(1), "R-265: the lock was freed while 1 waits",
                                           0);
}
TEST_F(lock_errors, a_semaphore_of_less_than_no_permits_is_r266) {
  expect_failure<patient<negative>>(machine_of(1), "R-266: a semaphore of -1 permits", 0);
}

}  // namespace
}  // namespace terrane
