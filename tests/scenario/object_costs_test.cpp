// SPDX-License-Identifier: Apache-2.0
// object_costs_test.cpp: how many messages the operations of docs/objects.md cost, from a node that
// is not the object's.
#include "tests/support/run_machine.hpp"

namespace terrane {
namespace {

struct one_of_each {
  lock door;
  semaphore permits;
  istruct<long> row;
  mstruct<long> cells;
  channel<long> way;
  barrier all;
};

}  // namespace

template <>
inline constexpr bool position_independent<one_of_each> = true;

namespace {

enum class cycle {
  take_and_give_a_lock,
  take_and_give_a_permit,
  write_and_read_an_element,
  put_and_take_an_element,
  send_and_receive,
  send_and_receive_with_length,
  add_to_a_sum_of_one,
  wait_at_a_barrier
};

/// Repeats one cycle, each after the other.
struct repeats : threaded<repeats> {
  one_of_each objects;
  reduction<long> sum;
  cycle what;
  int left;
  std::uint32_t next = 0;
  reply<void> over;
  std::int32_t length = 0;
  slot go = on<&repeats::again>(1);
  slot both = on<&repeats::again>(2);

  step start(one_of_each the_objects, int the_cycle, int times, global<long> cell,
             reduction<long> the_sum, reply<void> to) {
    objects = the_objects;
    sum = the_sum;
    what = static_cast<cycle>(the_cycle);
    left = times;
    over = to;
    place = cell;
    return again();
  }
  step again() {
    if (left-- == 0) {
      over.send();
      return done;
    }
    begin();
    return wait;
  }
  void begin() {
    const terrane_global mine = terrane_to_global(&value);
    const long one = 1;
    switch (what) {
      case cycle::take_and_give_a_lock:
        objects.door.take(ref(go));
        objects.door.give();
        break;
      case cycle::take_and_give_a_permit:
        objects.permits.take(ref(go));
        objects.permits.give();
        break;
      case cycle::write_and_read_an_element:
        objects.row.write(next, 1);
        objects.row.read(next++, value, ref(go));
        break;
      case cycle::put_and_take_an_element:
        objects.cells.put(3, 1);
        objects.cells.take(3, value, ref(go));
        break;
      case cycle::send_and_receive:
        objects.way.send(1, ref(both));
        objects.way.receive(value, ref(both));
        break;
      case cycle::send_and_receive_with_length:
        terrane_channel_send(objects.way.raw, &one, sizeof one, ref(both).raw);
        terrane_channel_receive(objects.way.raw, mine, sizeof value, terrane_to_global(&length),
                                ref(both).raw);
        break;
      case cycle::add_to_a_sum_of_one:
        sum.put(1);
        get(place, value, ref(go));  // to go on at all; two messages
        break;
      case cycle::wait_at_a_barrier: objects.all.wait(ref(go)); break;
    }
  }
  long value = 0;
  global<long> place;
};

struct asks_from_elsewhere : threaded<asks_from_elsewhere> {
  one_of_each objects{lock::make(),           semaphore::make(1),     istruct<long>::make(1000),
                      mstruct<long>::make(4), channel<long>::make(1), barrier::make(1)};
  long total = 0;
  join over = on<&asks_from_elsewhere::finish>();
  reduction<long> sum = reduction<long>::make(TERRANE_SUM, 1, to_global(total), {});
  step start(int what, int times) {
    // While a timer is set nobody searches for quiescence, whose probes are messages as well.
    after(~std::uint64_t{0}, ref(never));
    invoke<repeats>(processors() - 1, objects, what, times, to_global(total), sum, over.into());
    return await(over);
  }
  step finish() { return done; }
  slot never = on<&asks_from_elsewhere::finish>(1);
};

/// Messages of one more cycle.
std::uint64_t cost(cycle what, int nodes = 2) {
  const auto messages = [&](int times) {
    run_options options;
    options.world = "sim";
    options.nodes = nodes;
    const auto run = run_machine<asks_from_elsewhere>(options, static_cast<int>(what), times);
    std::uint64_t sent = 0;
    for (const auto& each : run.statistics.per_processor) sent += each.messages_sent;
    return sent;
  };
  return messages(40) - messages(39);
}

TEST(object_costs, are_as_documented) {
  EXPECT_EQ(cost(cycle::take_and_give_a_lock), 1u + 1u + 1u);
  EXPECT_EQ(cost(cycle::take_and_give_a_permit), 1u + 1u + 1u);
  EXPECT_EQ(cost(cycle::write_and_read_an_element), 1u + 2u);
  EXPECT_EQ(cost(cycle::put_and_take_an_element), 1u + 2u);
  EXPECT_EQ(cost(cycle::send_and_receive), 2u + 2u);
  EXPECT_EQ(cost(cycle::send_and_receive_with_length), 2u + 3u);
  EXPECT_EQ(cost(cycle::add_to_a_sum_of_one), 2u + 2u);
  EXPECT_EQ(cost(cycle::wait_at_a_barrier), 2u);
}

TEST(object_costs, of_a_barrier_are_one_message_up_and_one_down_each_level) {
  EXPECT_EQ(cost(cycle::wait_at_a_barrier, 5), 2u);
  EXPECT_EQ(cost(cycle::wait_at_a_barrier, 6), 4u);
  EXPECT_EQ(cost(cycle::wait_at_a_barrier, 30), 6u);
}

}  // namespace
}  // namespace terrane
