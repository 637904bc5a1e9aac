// SPDX-License-Identifier: Apache-2.0
// object_programs.hpp: programs that use the library's objects from every processor and know the
// right answer. Each root gets the place for its answer, a long.
#pragma once

#include <array>

#include "terrane/terrane.hpp"

namespace terrane::object_programs {

// --- a counter that only its lock keeps right ---

inline constexpr int increments = 100;

struct counter_worker : threaded<counter_worker> {
  lock door;
  global<long> cell;
  slot_ref done_at;
  int left;
  long seen = 0;
  slot got = on<&counter_worker::look>(1);
  slot have = on<&counter_worker::store>(1);
  slot stored = on<&counter_worker::leave>(1);

  step start(lock the_door, global<long> the_cell, int repetitions, slot_ref done_here) {
    door = the_door;
    cell = the_cell;
    left = repetitions;
    done_at = done_here;
    return again();
  }
  step again() {
    if (left-- == 0) {
      signal(done_at);
      return done;
    }
    door.take(ref(got));
    return wait;
  }
  step look() {
    get(cell, seen, ref(have));
    return wait;
  }
  step store() {
    put(seen + 1, cell, ref(stored));
    return wait;
  }
  step leave() {
    door.give();
    return again();
  }
};

struct counter : threaded<counter> {
  long* answer;
  long cell = 0;
  lock door = lock::make();
  slot all = on<&counter::finish>(static_cast<int>(processors()));

  step start(long* to) {
    answer = to;
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<counter_worker>(i, door, to_global(cell), increments, ref(all));
    return wait;
  }
  step finish() {
    door.free();
    *answer = cell;
    return done;
  }
};

// --- Pascal's triangle: every element waits for two others, readers mostly come first ---

inline constexpr int rows = 20;
inline constexpr long modulus = 1000003;
inline constexpr std::uint32_t at(int row, int column) {
  return static_cast<std::uint32_t>(row * (row + 1) / 2 + column);
}

struct triangle_cell : threaded<triangle_cell> {
  istruct<long> triangle;
  slot_ref done_at;
  std::uint32_t index;
  long a = 0, b = 0;
  slot both = on<&triangle_cell::add>(2);

  step start(istruct<long> whole, int row, int column, slot_ref done_here) {
    triangle = whole;
    done_at = done_here;
    index = at(row, column);
    if (column == 0 || column == row) {
      b = 1;
      return add();
    }
    triangle.read(at(row - 1, column - 1), a, ref(both));
    triangle.read(at(row - 1, column), b, ref(both));
    return wait;
  }
  step add() {
    triangle.write(index, (a + b) % modulus);
    signal(done_at);
    return done;
  }
};

struct triangle : threaded<triangle> {
  long* answer;
  istruct<long> whole = istruct<long>::make(at(rows, 0));
  long found = 0;
  slot all = on<&triangle::ask_for_it>(rows * (rows + 1) / 2);
  slot there = on<&triangle::finish>(1);

  step start(long* to) {
    answer = to;
    for (int row = rows - 1; row >= 0; --row)
      for (int column = 0; column <= row; ++column)
        spawn<triangle_cell>(whole, row, column, ref(all));
    return wait;
  }
  step ask_for_it() {
    whole.read(at(rows - 1, 9), found, ref(there));
    return wait;
  }
  step finish() {
    whole.free();
    *answer = found;
    return done;
  }
};

// --- ping-pong ---

inline constexpr int rounds = 100;

struct echo : threaded<echo> {
  bichannel<long> ends;
  slot_ref bye;
  int left = rounds;
  long ball = 0;
  slot in = on<&echo::hit>(1);
  slot out = on<&echo::again>(1);

  step start(bichannel<long> both, slot_ref bye_here) {
    ends = both;
    bye = bye_here;
    ends.a2b.receive(ball, ref(in));
    return wait;
  }
  step hit() {
    ends.b2a.send(ball + 1, ref(out));
    return wait;
  }
  step again() {
    if (--left == 0) {
      signal(bye);
      return done;
    }
    ends.a2b.receive(ball, ref(in));
    return wait;
  }
};

template <int Capacity>
struct ping_pong : threaded<ping_pong<Capacity>> {
  using self = ping_pong;
  long* answer;
  bichannel<long> ends = bichannel<long>::make(Capacity);
  long ball = 0;
  int left = rounds;
  slot sent = self::template on<&self::await_it>(1);
  slot back = self::template on<&self::again>(1);
  slot over = self::template on<&self::finish>(2);

  step start(long* to) {
    answer = to;
    self::template invoke<echo>(processors() - 1, ends, self::ref(over));
    ends.a2b.send(ball, self::ref(sent));
    return self::wait;
  }
  step await_it() {
    ends.b2a.receive(ball, self::ref(back));
    return self::wait;
  }
  step again() {
    if (--left == 0)
      this->signal(over);
    else
      ends.a2b.send(ball, self::ref(sent));
    return self::wait;
  }
  step finish() {
    ends.free();
    *answer = ball;
    return self::done;
  }
};

// --- many senders and receivers at one channel: nothing lost, nothing twice, in order ---

inline constexpr int items_each = 20;

struct parcel {
  std::uint32_t sender;
  int number;
};

}  // namespace terrane::object_programs

template <>
inline constexpr bool terrane::position_independent<terrane::object_programs::parcel> = true;

namespace terrane::object_programs {

struct parcel_sender : threaded<parcel_sender> {
  channel<parcel> way;
  slot_ref done_at;
  int next = 0;
  slot sent = on<&parcel_sender::another>(1);

  step start(channel<parcel> the_way, slot_ref done_here) {
    way = the_way;
    done_at = done_here;
    return another();
  }
  step another() {
    if (next == items_each) {
      signal(done_at);
      return done;
    }
    way.send({this_processor(), next++}, ref(sent));
    return wait;
  }
};

template <int Capacity>
struct funnel : threaded<funnel<Capacity>> {
  using self = funnel;
  long* answer;  // items that came in order
  long in_order = 0;
  int left = 0;
  parcel got{};
  channel<parcel> way = channel<parcel>::make(Capacity);
  std::array<int, 64> next{};
  slot there = self::template on<&self::take>(1);
  slot over = self::template on<&self::finish>(static_cast<int>(processors()) + 1);

  step start(long* to) {
    answer = to;
    left = items_each * static_cast<int>(processors());
    for (std::uint32_t i = 0; i < processors(); ++i)
      self::template invoke<parcel_sender>(i, way, self::ref(over));
    way.receive(got, self::ref(there));
    return self::wait;
  }
  step take() {
    in_order += got.sender < processors() && next[got.sender]++ == got.number;
    if (--left == 0)
      this->signal(over);
    else
      way.receive(got, self::ref(there));
    return self::wait;
  }
  step finish() {
    way.free();
    *answer = in_order;
    return self::done;
  }
};

}  // namespace terrane::object_programs
