// SPDX-License-Identifier: Apache-2.0
// handlers_test.cpp: functions that messages run: in the poll, and in threads of their own.
#include "terrane/thread/handlers.hpp"

#include "terrane/cpp/global.hpp"
#include "terrane/node_data/node_local.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/run_to_failure.hpp"

namespace terrane {
namespace {

class message_handlers : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, message_handlers, small_machines(), machine_name);

reply<long> answer_to(slot_ref done, long& where) { return {{done.raw, &where}}; }

void say_where(long number, reply<long> to) {
  to.send(100 * number + static_cast<long>(terrane_here->number));
}

void signals(slot_ref done) { done.signal(); }
void passes_on(std::uint32_t to, slot_ref done) { post<signals>(to, done); }

/// A thread that answered and has moved may still have to tell its maker that it ended. A message
/// that its processor sends now arrives after that one.
void let_ends_be_told() {
  for (std::uint32_t from = 0; from < terrane_processors(); ++from)
    for (std::uint32_t to = 0; to < terrane_processors(); ++to)
      this_thread::await([&](slot_ref done) { post<passes_on>(from, to, done); });
}

TEST_P(message_handlers, run_on_the_processor_that_they_are_posted_to) {
  expect([](faults& wrong) {
    for (std::uint32_t p = 0; p < terrane_processors(); ++p) {
      long answers[3] = {};
      this_thread::await(
          [&](slot_ref done) { post<say_where>(p, 7L, answer_to(done, answers[0])); });
      this_thread::await([&](slot_ref done) {
        post<say_where, runs_in::thread>(p, 8L, answer_to(done, answers[1]));
      });
      this_thread::await([&](slot_ref done) {
        post<say_where, runs_in::migratable_thread>(p, 9, answer_to(done, answers[2]));
      });
      wrong.unless(answers[0] == 700 + static_cast<long>(p));
      wrong.unless(answers[1] == 800 + static_cast<long>(p));
      // A balancer may take the thread until it begins.
      wrong.unless(answers[2] / 100 == 9);
    }
    let_ends_be_told();
  });
}

struct heard {
  long next = 0, disorders = 0;
};
node_local<heard> from_root;

void hear(long number) {
  from_root->disorders += number != from_root->next;
  from_root->next = number + 1;
}
void hear_put(global<long> place, long expected) {
  from_root->disorders += *place.local() != expected;
}
void tell_heard(reply<long> next, reply<long> disorders) {
  next.send(from_root->next);
  disorders.send(from_root->disorders);
}

/// Posts with puts between them, more than a ring holds.
TEST_P(message_handlers, run_in_the_order_in_which_they_were_posted) {
  expect([](faults& wrong) {
    const std::uint32_t last = terrane_processors() - 1;
    constexpr long most = 20'000;
    global<long> place;
    this_thread::await([&](slot_ref done) { allocate(last, 1, place, done); });
    for (long i = 0; i < most; ++i) {
      post<hear>(last, i);
      if (i % 64 != 0) continue;
      put(i, place, {});
      post<hear_put>(last, place, i);
    }
    long next = 0, disorders = 0;
    thread_block& me = thread_block::current("a test");
    const slot_ref first{me.expect()}, second{me.expect()};
    post<tell_heard>(last, answer_to(first, next), answer_to(second, disorders));
    me.block();
    wrong.unless(next == most && disorders == 0);
    release(place);
  });
}

struct answers_later : threaded<answers_later> {
  step start(long number, reply<long> to) {
    to.send(number + 1);
    return done;
  }
};

/// Does all that a handler in the poll may do.
void does_much(long number, reply<long> by_token, reply<long> by_thread, reply<long> by_message) {
  activation<answers_later, false>::spawn(number, by_token);
  thread::create([=] {
    this_thread::yield();
    by_thread.send(number + 2);
  }).detach();
  post<say_where>((terrane_here->number + 1) % terrane_processors(), number, by_message);
}

TEST_P(message_handlers, in_the_poll_spawn_post_and_make_threads) {
  expect([](faults& wrong) {
    for (long i = 0; i < 200; ++i) {
      const auto to = static_cast<std::uint32_t>(i) % terrane_processors();
      long answers[3] = {};
      thread_block& me = thread_block::current("a test");
      slot_ref done[3];
      for (slot_ref& each : done) each = {me.expect()};
      post<does_much>(to, i, answer_to(done[0], answers[0]), answer_to(done[1], answers[1]),
                      answer_to(done[2], answers[2]));
      me.block();
      wrong.unless(answers[0] == i + 1 && answers[1] == i + 2 &&
                   answers[2] == 100 * i + static_cast<long>((to + 1) % terrane_processors()));
    }
  });
}

/// Posts amid a tree of spawns, whose polls run them on the stacks of fibers and threads.
struct tree : threaded<tree> {
  reply<long> out;
  long parts[3];
  join all = on<&tree::add>();
  step start(int depth, std::uint32_t root, reply<long> to) {
    out = to;
    if (depth == 0) {
      to.send(1);
      return done;
    }
    spawn<tree>(depth - 1, root, all.into(parts[0]));
    spawn<tree>(depth - 1, root, all.into(parts[1]));
    post<answers_with_one>(root, all.into(parts[2]));
    return await(all);
  }
  step add() {
    out.send(parts[0] + parts[1] + parts[2]);
    return done;
  }
  static void answers_with_one(reply<long> to) { to.send(1); }
};

TEST_P(message_handlers, interrupt_spawning_code) {
  expect([](faults& wrong) {
    long sum = 0;
    this_thread::await([&](slot_ref done) {
      activation<tree, false>::spawn(11, terrane_here->number, answer_to(done, sum));
    });
    wrong.unless(sum == (1 << 11) + (1 << 11) - 1);
  });
}

void fetches(global<long> from, reply<long> to) {
  long value = 0;
  this_thread::await([&](slot_ref done) { get(from, value, done); });
  this_thread::sleep_for(1000);
  to.send(value + 1);
}

TEST_P(message_handlers, in_threads_block) {
  expect([](faults& wrong) {
    for (std::uint32_t p = 0; p < terrane_processors(); ++p) {
      long mine = 40 + p, answer = 0;
      this_thread::await([&](slot_ref done) {
        post<fetches, runs_in::thread>(p, to_global(mine), answer_to(done, answer));
      });
      wrong.unless(answer == 41 + p);
    }
  });
}

void wanders_home(node_id home, reply<long> to) {
  bool right = true;
  for (node_id i = 0; i < terrane_nodes(); ++i) right = right && goes_to(i, stack_form::best);
  to.send(right && goes_to(home, stack_form::best) ? 1 : 2);
}

TEST_P(message_handlers, in_threads_that_may_move_do) {
  expect([](faults& wrong) {
    for (std::uint32_t p = 0; p < terrane_processors(); ++p) {
      long answer = 0;
      this_thread::await([&](slot_ref done) {
        post<wanders_home, runs_in::migratable_thread>(p, node_now(), answer_to(done, answer));
      });
      wrong.unless(answer == 1);
    }
    let_ends_be_told();
  });
}

// --- misuse ---

class message_handlers_errors : public run_to_failure {};

void sleeps() { this_thread::sleep_for(1); }
void throws() { throw std::runtime_error("of a handler"); }

template <auto Handler>
struct posts : threaded<posts<Handler>> {
  using self = posts;
  slot given_up = self::template on<&self::finish>(1, 0);
  step start(int to) {
    post<Handler>(static_cast<std::uint32_t>(to));
    after(2'000'000'000, self::ref(given_up));
    return self::wait;
  }
  step finish() { return self::done; }
};

TEST_F(message_handlers_errors, that_block_in_the_poll_are_r281) {
  for (const int to : {0, 1})
    expect_failure<posts<sleeps>>(machine_of(2),
                                  "R-281: sleep_for may block, and the handler of a message", to);
}

TEST_F(message_handlers_errors, that_throw_are_r270) {
  expect_failure<posts<throws>>(machine_of(2),
                                "R-270: an exception left throws::handler: of a handler", 1);
}

TEST_F(message_handlers_errors, that_go_to_no_processor_are_r210) {
  expect_failure<posts<throws>>(machine_of(2), "R-210: a message names processor 5", 5);
}

}  // namespace
}  // namespace terrane
