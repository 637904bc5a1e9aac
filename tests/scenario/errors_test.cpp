// SPDX-License-Identifier: Apache-2.0
// errors_test.cpp: signals, replies and data that come too late, too often or too early, deadlocks
// and exceptions end the run with one sentence that names the error and the place.
//
// Source  docs/threaded-c-errors.md.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/run_to_failure.hpp"

namespace terrane {
namespace {

class errors : public run_to_failure {};

// --- R-201 ---

struct leaves_a_fiber : threaded<leaves_a_fiber> {
  slot ready = on<&leaves_a_fiber::never>(1, 0);
  step start(int) {
    signal(ready);
    return done;
  }
  step never() { return done; }
};

TEST_F(errors, an_activation_that_ends_while_its_fiber_is_ready_is_r201) {
  const std::string sentence =
      "R-201: an activation of .*leaves_a_fiber ended while its fiber never was ready to run";
  expect_failure<patient<leaves_a_fiber>>(machine_of(1), sentence + ".*on processor 0 of node 0",
                                          0);
  expect_failure<patient<leaves_a_fiber>>(machine_of(2), sentence + ".*on processor 1 of node 1",
                                          0);
}

/// The same when another activation has the frame by then.
struct leaves_a_fiber_twice : threaded<leaves_a_fiber_twice> {
  step start(int) {
    invoke<leaves_a_fiber>(this_processor(), 0);
    for (int i = 0; i < 100; ++i) invoke<leaves_a_fiber>(this_processor(), 0);
    return done;
  }
};

TEST_F(errors, a_fiber_of_an_ended_activation_never_runs_in_the_next_one) {
  expect_failure<patient<leaves_a_fiber_twice>>(machine_of(1), "R-201: ", 0);
}

// --- R-202 ---

/// Gives away the name of its slot and ends.
struct short_lived : threaded<short_lived> {
  slot waiting = on<&short_lived::never>(2, 0);
  step start(reply<slot_ref> to) {
    to.send(ref(waiting));
    return done;
  }
  step never() { return done; }
};
struct signals_the_dead : threaded<signals_the_dead> {
  slot_ref stale;
  join known = on<&signals_the_dead::shout>();
  slot given_up = on<&signals_the_dead::finish>(1, 0);
  step start(int) {
    invoke<short_lived>(processors() - 1, known.into(stale));
    return await(known);
  }
  step shout() {
    stale.signal();
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

TEST_F(errors, a_signal_for_an_ended_activation_is_r202_on_its_processor) {
  const std::string sentence =
      "R-202: a signal came for slot [0-9]+ of an activation that has ended";
  expect_failure<signals_the_dead>(machine_of(1), sentence + ".*on processor 0", 0);
  expect_failure<signals_the_dead>(machine_of(3), sentence + ".*on processor 2 of node 2", 0);
}

/// A timer outlives the activation that set it.
struct sets_a_timer : threaded<sets_a_timer> {
  slot waiting = on<&sets_a_timer::never>(1, 0);
  step start(int) {
    after(1'000'000, ref(waiting));
    return done;
  }
  step never() { return done; }
};

TEST_F(errors, a_timer_for_an_ended_activation_is_r202) {
  expect_failure<patient<sets_a_timer>>(machine_of(2), "R-202: .*on processor 1 of node 1", 0);
}

/// Asks for an answer and does not wait for it.
struct asks_and_ends : threaded<asks_and_ends> {
  long answer;
  join waiting = on<&asks_and_ends::never>();
  step start(reply<reply<long>> to) {
    to.send(waiting.into(answer));
    return done;
  }
  step never() { return done; }
};
struct answers_the_dead : threaded<answers_the_dead> {
  reply<long> stale;
  join known = on<&answers_the_dead::tell>();
  slot given_up = on<&answers_the_dead::finish>(1, 0);
  step start(int) {
    invoke<asks_and_ends>(processors() - 1, known.into(stale));
    return await(known);
  }
  step tell() {
    stale.send(42);
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

TEST_F(errors, a_reply_to_an_ended_activation_is_r202_here_and_r202_or_r205_elsewhere) {
  expect_failure<answers_the_dead>(machine_of(1), "R-202: .*on processor 0", 0);
  // At its owner a reply is a put: the data finds the frame gone before the signal does.
  expect_failure<answers_the_dead>(machine_of(2), "R-20[25]: .*on processor 1 of node 1", 0);
}

// --- R-203, R-204 ---

struct over_signalled : threaded<over_signalled> {
  slot once = on<&over_signalled::run>(2, 0);
  step start(int) {
    for (int i = 0; i < 3; ++i) signal(once);
    return wait;
  }
  step run() { return wait; }
};
struct signals_another : threaded<signals_another> {
  step start(slot_ref where, int times) {
    for (int i = 0; i < times; ++i) where.signal();
    return done;
  }
};
struct over_signalled_from_afar : threaded<over_signalled_from_afar> {
  slot once = on<&over_signalled_from_afar::run>(1, 0);
  step start(int) {
    invoke<signals_another>(processors() - 1, ref(once), 2);
    return wait;
  }
  step run() { return wait; }
};

TEST_F(errors, a_signal_too_many_for_a_one_shot_slot_is_r203) {
  expect_failure<over_signalled>(
      machine_of(1),
      "R-203: one signal too many came for the one-shot slot of .*over_signalled::run", 0);
  expect_failure<over_signalled_from_afar>(
      machine_of(2), "R-203: .*over_signalled_from_afar::run.*on processor 0 of node 0", 0);
}

struct blank_over_there : threaded<blank_over_there> {
  slot blank = unarmed<&blank_over_there::run>();
  step start(int) {
    invoke<signals_another>(processors() - 1, ref(blank), 1);
    return wait;
  }
  step run() { return done; }
};

TEST_F(errors, a_signal_for_a_slot_without_a_count_is_r204) {
  const std::string sentence =
      "R-204: a signal came for the slot of .*blank_over_there::run before it was given a count";
  expect_failure<blank_over_there>(machine_of(1), sentence, 0);
  expect_failure<blank_over_there>(machine_of(2), sentence, 0);
}

// --- R-205 ---

struct gets_and_ends : threaded<gets_and_ends> {
  long value;
  join got = on<&gets_and_ends::never>();
  step start(global<long> from) {
    get(from, value, got.one());
    return done;
  }
  step never() { return done; }
};
struct moves_and_ends : threaded<moves_and_ends> {
  long value;
  join got = on<&moves_and_ends::never>();
  step start(global<long> from) {
    get_strided(from, 1, &value, 1, 1, got.one());
    return done;
  }
  step never() { return done; }
};
TEST_F(errors, data_for_an_activation_that_did_not_wait_for_it_is_r205) {
  const std::string sentence = "R-205: data arrived for an activation that ended .*processor 1";
  expect_failure<invokes_with_a_place<gets_and_ends>>(machine_of(2), sentence, 0);
  expect_failure<invokes_with_a_place<moves_and_ends>>(machine_of(2), sentence, 0);
}

// --- R-270 ---

struct throws : threaded<throws> {
  slot go = on<&throws::in_a_fiber>(1);
  step start(int where) {
    if (where == 0) throw std::runtime_error("no bread today");
    if (where == 1) throw 42;
    signal(go);
    return wait;
  }
  step in_a_fiber() { throw std::invalid_argument("nor butter"); }
};
struct spawns_a_thrower : threaded<spawns_a_thrower> {
  step start(int where) {
    spawn<throws>(where);
    return wait;
  }
};

TEST_F(errors, an_exception_that_leaves_a_fiber_is_r270_and_says_what_and_where) {
  run_options inlined = machine_of(1);
  inlined.enough = 0;  // the child runs on its parent's stack, and never becomes its exception
  for (const run_options& options : {inlined, machine_of(1), machine_of(2)}) {
    expect_failure<spawns_a_thrower>(
        options, "R-270: an exception left .*::throws::start: no bread today", 0);
    expect_failure<spawns_a_thrower>(options, "R-270: an exception left .*::throws::start \\(on",
                                     1);
    expect_failure<spawns_a_thrower>(
        options, "R-270: an exception left .*::throws::in_a_fiber: nor butter", 2);
  }
}

/// A member that cannot be made.
struct cannot_begin : threaded<cannot_begin> {
  static int refuse() { throw std::runtime_error("no flour"); }
  int member = refuse();
  step start(int) { return done; }
};

TEST_F(errors, an_exception_of_a_members_initialiser_is_r270_of_its_own_activation) {
  for (const int nodes : {1, 2})
    expect_failure<patient<cannot_begin>>(
        machine_of(nodes), "R-270: an exception left .*cannot_begin::start: no flour", 0);
}

// --- R-250 ---

struct stuck_main : threaded<stuck_main> {
  slot never = on<&stuck_main::finish>(2);
  step start(int, char**) {
    std::fputs("printed before\n", stdout);
    signal(never);
    return wait;
  }
  step finish() { return done; }
};

int run_stuck(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& each : words) argv.push_back(each.data());
  argv.push_back(nullptr);
  return run<stuck_main>(static_cast<int>(words.size()), argv.data());
}

TEST_F(errors, a_program_that_waits_for_ever_ends_with_121_and_r250_with_what_waits_where) {
  for (const char* nodes : {"1", "2", "4"})
    EXPECT_EXIT(std::exit(run_stuck({"stuck", "--nodes", nodes, "--processors", "1"})),
                testing::ExitedWithCode(121),
                "R-250: deadlock: .*1 activation waits:\n"
                "  processor 0, node 0: .*stuck_main::finish \\(.*errors_test.cpp:[0-9]+\\) waits "
                "for 1 more signal \\(count 1, reset 2\\)");
}

// --- R-271 ---

/// A slot whose name has no room for its place in the frame.
struct slot_too_far : threaded<slot_too_far> {
  std::array<unsigned char, 20'000> large;
  int answer;
  join late = on<&slot_too_far::finish>();
  struct child : threaded<child> {
    step start(reply<int> to) {
      to.send(1);
      return done;
    }
  };
  step start(int) {
    invoke<child>(processors() - 1, late.into(answer));
    return await(late);
  }
  step finish() { return done; }
};

TEST_F(errors, a_slot_behind_the_first_16_kib_of_its_frame_is_r271) {
  expect_failure<slot_too_far>(machine_of(1), "R-271: the slot of .*slot_too_far::finish lies 2",
                               0);
}

}  // namespace
}  // namespace terrane
