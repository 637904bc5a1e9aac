// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/message_buffer.hpp"

#include <numeric>
#include <vector>

#include "terrane/c/terrane_chant.h"
#include "terrane/core/node.hpp"
#include "terrane/talk/rope.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class buffers : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, buffers, small_machines(), machine_name);

constexpr std::size_t sizes[] = {0, 8, 4000, 20'000, 1 << 20};

message_buffer filled(std::size_t bytes, long from) {
  message_buffer made(bytes);
  const auto all = made.as<long>();
  std::iota(all.begin(), all.end(), from);
  return made;
}
bool holds(std::span<const long> all, std::size_t bytes, long from) {
  if (all.size_bytes() != bytes) return false;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != from + static_cast<long>(i)) return false;
  return true;
}

/// Sends back what it gets, ten times of each size, and then ordinary messages that were buffers.
constexpr auto gives_back = [](thread_id to) {
  for (const std::size_t bytes : sizes)
    for (int i = 0; i < 10; ++i) {
      auto got = recv<message_buffer>(to, 1);
      if (holds(got.as<const long>(), bytes, i)) send(to, 2, std::move(got));
    }
  for (const std::size_t bytes : sizes) {
    std::vector<long> room(bytes / sizeof(long));
    const status how = recv(to, 3, room);
    if (how.bytes == bytes && holds(room, bytes, 5)) send(to, 4, room);
  }
};

TEST_P(buffers, come_whole_and_may_be_received_into_other_memory) {
  expect([](faults& wrong) {
    for (node_id there = 0; there < terrane_nodes(); ++there) {
      thread other = thread::create_on(there, {.name = "other"}, gives_back, this_thread::id());
      const thread_id its{other.name()};
      for (const std::size_t bytes : sizes)
        for (int i = 0; i < 10; ++i) {
          message_buffer mine = filled(bytes, i);
          send(its, 1, std::move(mine));
          wrong.unless(mine.empty() && mine.data() == nullptr);
          const auto back = recv<message_buffer>(its, 2);
          wrong.unless(holds(back.as<long>(), bytes, i));
        }
      for (const std::size_t bytes : sizes) {
        send(its, 3, filled(bytes, 5));
        message_buffer back;
        const status how = recv(its, 4, back);
        wrong.unless(how.bytes == bytes && holds(back.as<long>(), bytes, 5));
      }
      other.join();
    }
  });
}

TEST_P(buffers, are_freed_where_nobody_receives_them) {
  expect([](faults& wrong) {
    thread other = thread::create_on(
        terrane_nodes() - 1, {.name = "other"},
        [](thread_id to) {
          send(to, 1, 1);
          recv<int>(to, 2);
        },
        this_thread::id());
    const thread_id its{other.name()};
    wrong.unless(recv<int>(its, 1) == 1);
    send(its, 9, filled(4000, 1));
    send(its, 2, 2);
    other.join();
  });
}

TEST_P(buffers, go_by_rank_too) {
  expect([](faults& wrong) {
    started_rope all = rope::create(2, rope_mapping::cyclic(), [] {
      const rope us = this_rope();
      if (us.rank() == 0) us.send(1, 1, filled(1 << 20, 3));
      if (us.rank() == 1 && !holds(us.recv<message_buffer>(0, 1).as<const long>(), 1 << 20, 3))
        throw std::runtime_error("the buffer is wrong");
    });
    try {
      all.join();
    } catch (const std::exception&) { wrong.unless(false); }
  });
}

TEST(buffers_of_a_processor, are_handed_over_where_they_lie) {
  int count = -1;
  run_machine<in_a_thread>(machine_of(1), &count, static_cast<thread_code>([](faults& wrong) {
                             message_buffer mine = filled(4000, 7);
                             const void* const at = mine.data();
                             const thread_id me = this_thread::id();
                             send(me, 1, std::move(mine));
                             const auto got = recv<message_buffer>(me, 1);
                             wrong.unless(got.data() == at && holds(got.as<long>(), 4000, 7));
                           }));
  EXPECT_EQ(count, 0);
}

TEST(buffers_in_c, are_made_sent_received_and_freed) {
  int count = -1;
  run_machine<in_a_thread>(machine_of(1), &count, static_cast<thread_code>([](faults& wrong) {
                             const terrane_thread me = terrane_self();
                             auto* const mine = static_cast<int*>(terrane_buffer_make(400));
                             mine[99] = 5;
                             terrane_send_buffer_to(me, 1, mine, 400);
                             terrane_message_status how{};
                             auto* const got =
                                 static_cast<int*>(terrane_recv_buffer_from(me, 1, &how));
                             wrong.unless(got == mine && got[99] == 5 && how.bytes == 400);
                             terrane_buffer_free(got);
                             terrane_buffer_free(nullptr);
                             terrane_send_to(me, 2, nullptr, 0);
                             wrong.unless(!terrane_recv_buffer_from(me, 2, nullptr));
                           }));
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace terrane
