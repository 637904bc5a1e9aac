// SPDX-License-Identifier: Apache-2.0
// awaited_channel_test.cpp: coroutines that send and receive through channels of this node and of
// others, with and without a buffer.
#include <chrono>

#include "terrane/talk/awaited_channel.hpp"
#include "terrane/talk/remote_call.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace awaited_channel_test {
namespace {

class awaited_channels : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, awaited_channels, small_machines(), machine_name);

constexpr int items = 40;

task<long> in_order(channel<int> way) {
  long right = 0;
  for (int next = 1; next <= items; ++next) right += co_await received(way) == next;
  co_return right;
}
task<void> counted(channel<int> way) {
  for (int next = 1; next <= items; ++next) co_await sent(way, next);
}

long receives(channel<int> way) { return start(in_order(way)).get(); }
channel<int> made_there(int capacity) { return channel<int>::make(capacity); }
void freed_there(channel<int> way) { way.free(); }

TEST_P(awaited_channels, keep_the_order_of_items_from_node_to_node) {
  expect([](faults& wrong) {
    for (const int capacity : {0, 1, 7}) {
      for (node_id at = 0; at < terrane_nodes(); ++at) {
        const channel<int> way = call<made_there>(at, capacity);
        auto there = icall<receives>(terrane_nodes() - 1 - at, way);
        start(counted(way)).get();
        wrong.unless(there.wait() == items);
        call<freed_there>(at, way);
      }
    }
  });
}

TEST_P(awaited_channels, wait_for_room_and_for_receivers) {
  expect([](faults& wrong) {
    const channel<int> way = channel<int>::make(1);
    int over = 0;
    const auto send_three = [](channel<int> to, int& over_now) -> task<void> {
      for (int i = 0; i < 3; ++i) {
        co_await sent(to, i);
        ++over_now;
      }
    };
    auto sends = start(send_three(way, over));
    this_thread::sleep_for(std::chrono::milliseconds(1));
    wrong.unless(over == 1 && !sends.is_ready());  // one in the buffer, one waits for room
    const auto take_one = [](channel<int> from) -> task<int> { co_return co_await received(from); };
    for (int i = 0; i < 3; ++i) wrong.unless(start(take_one(way)).get() == i);
    sends.get();
    wrong.unless(over == 3);
    way.free();
  });
}

}  // namespace
}  // namespace awaited_channel_test
}  // namespace terrane
