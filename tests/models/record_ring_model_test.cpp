// SPDX-License-Identifier: Apache-2.0
// record_ring_model_test.cpp: no record is torn, lost or read twice, in every interleaving and with
// every value that the loads of its atomics may return.
#include <gtest/gtest.h>

#include "terrane/base/record_ring.hpp"

namespace terrane::model {
namespace {

/// A ring of eight lines, each with data that whoever holds the line may touch.
struct lines {
  explicit lines(execution& in)
      : run(in),
        memory(static_cast<char*>(in.memory(record_ring::bytes_for(8)))),
        ring(*record_ring::make_in(memory, 8)) {}

  execution& run;
  char* const memory;
  record_ring& ring;
  std::array<plain<int>, 8> held;

  plain<int>& line_of(const void* data) {
    const auto offset = static_cast<const char*>(data) - memory;
    return held[(static_cast<std::size_t>(offset) - sizeof(record_ring)) / 64];
  }
  bool put(int value) {
    record_ring::writer_word mine{record_ring::nowhere};
    void* const room = ring.reserve(8, mine);
    if (!room) return false;
    line_of(room).write(value);
    ring.publish(room, 8, mine);
    return true;
  }
  /// The oldest, or -1.
  int take() {
    const auto oldest = ring.front();
    if (!oldest) return -1;
    const int value = line_of(oldest.data).read();
    ring.pop(oldest);
    return value;
  }
  void take_one(int expected) {
    int value;
    while ((value = take()) < 0) run.wait_for_change();
    run.require(value == expected, "records come in their order");
  }
};

void expect_sound(const verdict& found, bool complete = true) {
  EXPECT_EQ(found.fault, "") << "in execution " << found.executions;
  EXPECT_EQ(found.complete, complete) << found.executions;
}

TEST(record_ring_model, what_is_read_is_what_was_written) {
  const auto found = explore({}, [](execution& run) {
    auto& all = run.make<lines>(run);
    run.thread([&] {
      for (int value = 0; value < 2; ++value) all.put(value);
    });
    run.thread([&] {
      for (int value = 0; value < 2; ++value) all.take_one(value);
    });
  });
  expect_sound(found);
}

TEST(record_ring_model, a_line_is_written_again_only_after_it_was_read) {
  const auto found = explore({}, [](execution& run) {
    auto& all = run.make<lines>(run);
    for (int value = 0; value < 8; ++value) all.put(value);
    run.thread([&] {
      while (!all.put(8)) run.wait_for_change();
    });
    run.thread([&] {
      all.take_one(0);
      all.ring.release();
    });
    run.finally([&] {
      for (int value = 1; value <= 8; ++value) all.take_one(value);
      run.require(all.take() == -1, "nothing comes twice");
    });
  });
  expect_sound(found);
}

TEST(record_ring_model, two_writers_never_draw_one_line) {
  const auto found = explore({}, [](execution& run) {
    auto& all = run.make<lines>(run);
    for (const int value : {10, 20}) run.thread([&all, value] { all.put(value); });
    run.finally([&] {
      run.require(all.take() + all.take() == 30 && all.take() == -1, "both are there, once");
    });
  });
  expect_sound(found);
}

/// One writer has seen how far the reader came; the other learns it only from that writer.
TEST(record_ring_model, a_writer_may_rely_on_what_another_has_seen) {
  const auto found = explore({.preemptions_max = 4}, [](execution& run) {
    auto& all = run.make<lines>(run);
    for (int value = 0; value < 8; ++value) all.put(value);
    run.thread([&] {
      all.take_one(0);
      all.ring.release();
    });
    run.thread([&] { all.ring.backlog(); });
    run.thread([&] {
      if (all.ring.backlog_seen() < 8) all.put(8);
    });
  });
  expect_sound(found, false);
}

/// The ring's end is near: a record without bytes fills it up.
TEST(record_ring_model, a_record_that_goes_round_the_end_is_whole) {
  const auto found = explore({}, [](execution& run) {
    auto& all = run.make<lines>(run);
    for (int value = 0; value < 7; ++value) all.put(value);
    for (int value = 0; value < 7; ++value) all.take();
    all.ring.release();
    run.thread([&] {
      record_ring::writer_word mine{record_ring::nowhere};
      void* const room = all.ring.reserve(100, mine);  // two lines
      run.require(room != nullptr, "there is room");
      all.line_of(room).write(7);
      all.ring.publish(room, 100, mine);
    });
    run.thread([&] {
      record_ring::record oldest;
      while (!(oldest = all.ring.front())) run.wait_for_change();
      run.require(oldest.bytes == 100 && all.line_of(oldest.data).read() == 7, "it is whole");
      all.ring.pop(oldest);
      all.ring.release();
    });
  });
  expect_sound(found);
}

/// Of two writers at one place one is lost, before it reserves or after. What the other wrote is
/// read, whichever came first, and its room is never passed over.
TEST(record_ring_model, what_a_lost_writer_reserved_hides_nothing) {
  for (const bool reserved : {false, true}) {
    const auto found = explore({.preemptions_max = 2}, [reserved](execution& run) {
      auto& all = run.make<lines>(run);
      record_ring::writer_word* const words[] = {
          &run.make<record_ring::writer_word>(record_ring::nowhere),
          &run.make<record_ring::writer_word>(record_ring::nowhere)};
      if (reserved)
        all.ring.reserve(8, *words[0]);
      else
        words[0]->store(0);  // as it leaves it before its compare-and-swap
      run.thread([&all, words] {
        void* const room = all.ring.reserve(8, *words[1]);
        all.line_of(room).write(1);
        all.ring.publish(room, 8, *words[1]);
      });
      run.thread([&all, &run, words] {
        while (all.take() != 1) {
          const bool skipped = all.ring.skip_lost(
              2, [words](std::size_t i) -> auto& { return *words[i]; },
              [](std::size_t i) { return i == 0; });
          if (!skipped && all.ring.empty()) run.wait_for_change();
        }
      });
    });
    expect_sound(found, false);
  }
}

}  // namespace
}  // namespace terrane::model
