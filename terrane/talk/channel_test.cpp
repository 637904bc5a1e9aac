// SPDX-License-Identifier: Apache-2.0
// channel_test.cpp: when a send is over, who gets what, and items of any size.
#include "terrane/talk/channel.hpp"

#include <array>
#include <vector>

#include "terrane/talk/lock.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class channels : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, channels, small_machines(), machine_name);

template <int Capacity>
struct channel_maker : threaded<channel_maker<Capacity>> {
  step start(reply<channel<int>> to, reply<lock> beside) {
    to.send(channel<int>::make(Capacity));
    beside.send(lock::make());
    return channel_maker::done;
  }
};

/// Sends five items into a channel of the last processor. When a lock beside it has answered, so
/// has the channel: `Capacity` of them have found room. Then they are received, and with each one
/// more.
template <int Capacity>
struct fills_a_buffer : threaded<fills_a_buffer<Capacity>> {
  using self = fills_a_buffer;
  int* faults;
  channel<int> way;
  lock beside;
  int sent = 0, received = 0, got = -1;
  join made = self::template on<&self::fill>();
  slot room = self::template on<&self::count_sent>(1);
  slot answered = self::template on<&self::look>(1);
  slot there = self::template on<&self::take>(1);

  step start(int* count) {
    faults = count;
    *faults = 0;
    self::template invoke<channel_maker<Capacity>>(processors() - 1, made.into(way),
                                                   made.into(beside));
    return self::await(made);
  }
  step fill() {
    for (int i = 0; i < 5; ++i) way.send(i, self::ref(room));
    beside.take(self::ref(answered));
    return self::wait;
  }
  step count_sent() {
    ++sent;
    return end_if_over();
  }
  step look() {
    *faults += sent != Capacity;
    way.receive(got, self::ref(there));
    return self::wait;
  }
  step take() {
    *faults += got != received++;
    if (received < 5) way.receive(got, self::ref(there));
    return end_if_over();
  }
  step end_if_over() {
    if (sent < 5 || received < 5) return self::wait;
    way.free();
    beside.free();
    return self::done;
  }
};

TEST_P(channels, a_send_is_over_when_its_item_has_found_room) {
  expect_no_faults<fills_a_buffer<2>>();
  expect_no_faults<fills_a_buffer<1>>();
}
TEST_P(channels, without_a_buffer_a_send_is_over_when_its_item_is_received) {
  expect_no_faults<fills_a_buffer<0>>();
}

/// Three receivers wait before anything is sent: the items go to them in the order of asking.
struct receives_first : threaded<receives_first> {
  int* faults;
  std::array<int, 3> got{};
  channel<int> way = channel<int>::make(0);
  slot sent = on<&receives_first::finish>(6, 0);
  step start(int* count) {
    faults = count;
    *faults = 1;
    for (int& each : got) way.receive(each, ref(sent));
    for (int i = 0; i < 3; ++i) way.send(10 + i, ref(sent));
    return wait;
  }
  step finish() {
    *faults = got[0] != 10 || got[1] != 11 || got[2] != 12;
    return done;
  }
};

TEST_P(channels, waiting_receivers_are_served_in_the_order_of_asking) {
  expect_no_faults<receives_first>();
}

/// Items of other sizes than one, through the C interface, with their lengths.
constexpr std::array<int, 6> sizes{0, 1, 7, 200, 5000, 100'000};

struct sized_sender : threaded<sized_sender> {
  step start(channel<char> way, slot_ref sent) {
    for (const int bytes : sizes) {
      const std::vector<unsigned char> made(static_cast<std::size_t>(bytes),
                                            static_cast<unsigned char>(bytes));
      terrane_channel_send(way.raw, made.data(), bytes, sent.raw);
    }
    return done;
  }
};
struct sized_receiver : threaded<sized_receiver> {
  int* faults;
  std::size_t next = 0;
  std::int32_t length = -1;
  std::vector<unsigned char> memory = std::vector<unsigned char>(100'001);
  channel<char> way = channel<char>::make(2);
  slot there = on<&sized_receiver::take>(1);
  slot over = on<&sized_receiver::finish>(static_cast<int>(sizes.size()) + 1, 0);

  step start(int* count) {
    faults = count;
    *faults = 0;
    invoke<sized_sender>(processors() - 1, way, ref(over));
    return receive();
  }
  step receive() {
    std::fill(memory.begin(), memory.end(), 0xee);
    length = -1;
    terrane_channel_receive(way.raw, terrane_to_global(memory.data()), sizes[next],
                            terrane_to_global(&length), ref(there).raw);
    return wait;
  }
  step take() {
    const int bytes = sizes[next];
    *faults += length != bytes;
    for (int i = 0; i < bytes; ++i)
      *faults += memory[static_cast<std::size_t>(i)] != static_cast<unsigned char>(bytes);
    *faults += memory[static_cast<std::size_t>(bytes)] != 0xee;
    if (++next < sizes.size()) return receive();
    signal(over);
    return wait;
  }
  step finish() { return done; }
};

TEST_P(channels, an_item_may_be_of_any_size_and_its_length_is_told) {
  expect_no_faults<sized_receiver>();
}

// --- misuse ---

struct item_too_large : threaded<item_too_large> {
  std::array<char, 8> memory{};
  slot there = on<&item_too_large::never>(2);
  step start(int) {
    const auto way = channel<char>::make(1);
    terrane_channel_send(way.raw, "too large", 10, ref(there).raw);
    terrane_channel_receive(way.raw, terrane_to_global(memory.data()), 8, 0, ref(there).raw);
    return wait;
  }
  step never() { return done; }
};
struct freed_under_a_sender : threaded<freed_under_a_sender> {
  slot sent = on<&freed_under_a_sender::never>(3);
  step start(int) {
    const auto way = channel<char>::make(1);
    way.send('a', ref(sent));
    way.send('b', ref(sent));
    way.free();
    return wait;
  }
  step never() { return done; }
};
struct parted : threaded<parted> {
  int item = 0;
  slot there = on<&parted::never>(2);
  step start(int) {
    terrane_channel_receive(channel<int>::make(1).raw, terrane_to_global(&item), 4,
                            terrane_place_on(0, reinterpret_cast<void*>(64)), ref(there).raw);
    return wait;
  }
  step never() { return done; }
};
struct less_than_nothing : threaded<less_than_nothing> {
  step start(int) {
    channel<int>::make(-1);
    return done;
  }
};

using channel_errors = run_to_failure;

TEST_F(channel_errors, an_item_larger_than_its_receiver_takes_is_r263) {
  expect_failure<patient<item_too_large>>(
      machine_of(2),
      "R-263: an item of 10 bytes came out of a channel for a receiver on processor 1 that takes 8",
      0);
}
TEST_F(channel_errors, freeing_a_channel_with_a_waiting_sender_is_r265) {
  expect_failure<patient<freed_under_a_sender>>(
      machine_of(1), "R-265: the channel was freed while 1 waits for it", 0);
}
TEST_F(channel_errors, an_item_and_its_length_go_to_one_processor) {
  expect_failure<patient<parted>>(
      machine_of(2), "R-220: an item was to go to processor 1 and its length to processor 0", 0);
}
TEST_F(channel_errors, a_channel_of_less_than_no_room_is_r266) {
  expect_failure<patient<less_than_nothing>>(machine_of(1), "R-266: a channel of capacity -1", 0);
}

}  // namespace
}  // namespace terrane
