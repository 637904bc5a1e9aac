// SPDX-License-Identifier: Apache-2.0
// parker_model_test.cpp: a processor that sleeps on a parker is woken for what comes, in every
// interleaving and with every value that its loads may return.
#include <gtest/gtest.h>

#include "terrane/base/parker.hpp"
#include "terrane/base/record_ring.hpp"

namespace terrane::model {
namespace {

/// A processor with its ring, as transport/thread_crew.cpp and rings.cpp have it.
struct receiver {
  explicit receiver(execution& in)
      : run(in), ring(*record_ring::make_in(in.memory(record_ring::bytes_for(8)), 8)) {}

  execution& run;
  record_ring& ring;
  parker sleep;
  atomic<bool> noticed{false};
  int taken = 0;
  std::array<plain<int>, 4> payload;

  // --- a sender ---
  void send(int which) {
    record_ring::writer_word mine{record_ring::nowhere};
    void* const room = ring.reserve(8, mine);
    run.require(room != nullptr, "the ring has room");
    payload[static_cast<std::size_t>(which)].write(which);
    *static_cast<int*>(room) = which;
    ring.publish(room, 8, mine);
    if (sleep.is_busy())
      noticed.store(true, memory_order_release);
    else
      sleep.wake();
  }

  // --- the processor ---
  void take_all() {
    while (const auto oldest = ring.front()) {
      const int which = *reinterpret_cast<const int*>(oldest.data);
      run.require(payload[static_cast<std::size_t>(which)].read() == which, "a record is whole");
      ring.pop(oldest);
      ++taken;
    }
    ring.release();
  }
  /// Idle until `all` have come: looks, announces its sleep, looks again, sleeps.
  void idle(int all) {
    while (taken < all) {
      if (!sleep.is_listening()) sleep.listen();
      take_all();
      if (taken == all) return;
      sleep.prepare();
      if (!ring.empty())
        sleep.listen();
      else
        sleep.sleep(-1);
    }
  }
  /// At work: looks only when it is noticed.
  void work(int all) {
    sleep.attend();
    if (!ring.empty()) take_all();
    while (taken < all) {
      if (noticed.exchange(false, memory_order_acquire))
        take_all();
      else
        run.wait_for_change();
    }
  }
};

void expect_sound(const verdict& found, bool complete = true) {
  EXPECT_EQ(found.fault, "") << "in execution " << found.executions;
  EXPECT_EQ(found.complete, complete) << found.executions;
}

TEST(parker_model, who_idles_gets_the_record_of_one_sender) {
  const auto found = explore({}, [](execution& run) {
    auto& place = run.make<receiver>(run);
    run.thread([&] { place.idle(1); });
    run.thread([&] { place.send(0); });
  });
  expect_sound(found);
}

TEST(parker_model, who_idles_gets_two_records_of_one_sender) {
  const auto found = explore({.preemptions_max = 4}, [](execution& run) {
    auto& place = run.make<receiver>(run);
    run.thread([&] { place.idle(2); });
    run.thread([&] {
      place.send(0);
      place.send(1);
    });
  });
  expect_sound(found, false);
}

TEST(parker_model, who_idles_gets_the_records_of_two_senders) {
  const auto found = explore({.preemptions_max = 2}, [](execution& run) {
    auto& place = run.make<receiver>(run);
    run.thread([&] { place.idle(2); });
    run.thread([&] { place.send(0); });
    run.thread([&] { place.send(1); });
  });
  expect_sound(found, false);
}

TEST(parker_model, who_stops_listening_is_noticed_or_finds_the_record_by_itself) {
  const auto found = explore({}, [](execution& run) {
    auto& place = run.make<receiver>(run);
    place.sleep.listen();
    run.thread([&] { place.work(1); });
    run.thread([&] { place.send(0); });
  });
  expect_sound(found);
}

/// As a node's pool does it: a processor that puts a token there wakes another one, whatever that
/// one is doing.
TEST(parker_model, who_idles_is_woken_for_what_lies_in_a_pool) {
  const auto found = explore({}, [](execution& run) {
    auto& sleep = run.make<parker>();
    auto& tokens = run.make<atomic<int>>(0);
    run.thread([&] {
      sleep.listen();
      while (tokens.load(memory_order_relaxed) == 0) {
        sleep.prepare();
        if (tokens.load(memory_order_seq_cst) != 0) return sleep.listen();
        sleep.sleep(-1);
      }
    });
    run.thread([&] {
      tokens.store(1, memory_order_seq_cst);
      sleep.wake();
    });
  });
  expect_sound(found);
}

TEST(parker_model, one_sleeper_is_woken_by_one) {
  const auto found = explore({}, [](execution& run) {
    auto& sleep = run.make<parker>();
    auto& woken = run.make<std::array<int, 2>>();
    sleep.prepare();
    run.thread([&] { woken[0] = sleep.wake(); });
    run.thread([&] { woken[1] = sleep.wake(); });
    run.finally([&] { run.require(woken[0] + woken[1] == 1, "woken once"); });
  });
  expect_sound(found);
}

}  // namespace
}  // namespace terrane::model
