// SPDX-License-Identifier: Apache-2.0
// split_phase_test.cpp: put, get, atomic adds and allocation bring the right bytes to the right
// place and keep their order, between any processors, however many are under way.
//
// Invariants  No processor reads another's memory directly: to check data on another processor, a
//             test fetches them by a split-phase operation.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

constexpr std::uint32_t most = small_machine_processors_max;

/// `Bytes` bytes that say where they come from.
template <std::size_t Bytes>
struct pattern {
  unsigned char byte[Bytes];

  static pattern of(unsigned seed) {
    pattern made;
    for (std::size_t i = 0; i < Bytes; ++i) made.byte[i] = static_cast<unsigned char>(seed + 7 * i);
    return made;
  }
  bool operator==(const pattern& other) const { return !std::memcmp(byte, other.byte, Bytes); }
};

}  // namespace

template <std::size_t Bytes>
inline constexpr bool position_independent<pattern<Bytes>> = true;

namespace {

class split_phase : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, split_phase, small_machines(), machine_name);

/// A place on every processor, where Test::write() has values written; counts those that are not
/// Test::expected(processor) when they are fetched again.
template <class Test, class T>
struct round_trip : threaded<Test> {
  int* faults;
  join placed = this->template on<&Test::write>();
  join written = this->template on<&Test::read>();
  join returned = this->template on<&Test::finish>();
  std::array<global<T>, most> place;
  std::array<T, most> back;

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) allocate(i, 1, place[i], placed.one());
    return Test::await(placed);
  }
  step read() {
    for (std::uint32_t i = 0; i < processors(); ++i) get(place[i], back[i], returned.one());
    return Test::await(returned);
  }
  step finish() {
    for (std::uint32_t i = 0; i < processors(); ++i) {
      *faults += !(back[i] == Test::expected(i));
      release(place[i]);
    }
    return Test::done;
  }
};

// --- put and get ---

template <class T>
struct put_and_get : round_trip<put_and_get<T>, T> {
  static T expected(std::uint32_t processor) { return T::of(processor); }
  step write() {
    for (std::uint32_t i = 0; i < processors(); ++i) {
      *this->faults += this->place[i].owner() != i;
      T value = expected(i);
      put(value, this->place[i], this->written.one());
      value = T::of(99);  // it was copied
    }
    return this->await(this->written);
  }
};

TEST_P(split_phase, a_put_brings_a_value_of_any_size_to_any_processor_and_a_get_brings_it_back) {
  expect_no_faults<put_and_get<pattern<1>>>();
  expect_no_faults<put_and_get<pattern<8>>>();
  expect_no_faults<put_and_get<pattern<31>>>();
  expect_no_faults<put_and_get<pattern<88>>>();
  expect_no_faults<put_and_get<pattern<89>>>();
  expect_no_faults<put_and_get<pattern<300>>>();
  expect_no_faults<put_and_get<pattern<10'000>>>();
}

/// Many puts to one place without waiting: more than any inbox holds. The last one must win.
struct burst : round_trip<burst, std::int64_t> {
  static constexpr std::int64_t rounds = 3000;
  static std::int64_t expected(std::uint32_t processor) { return rounds * 100 + processor; }
  step write() {
    for (std::int64_t round = 1; round <= rounds; ++round)
      for (std::uint32_t i = 0; i < processors(); ++i)
        put(round * 100 + i, place[i], written.one());
    return await(written);
  }
};

TEST_P(split_phase, puts_of_one_fiber_to_one_processor_keep_their_order_even_if_they_flood_it) {
  expect_no_faults<burst>();
}

/// Every processor floods every other, all at the same time.
struct flooder : threaded<flooder> {
  reply<void> to;
  join added = on<&flooder::tell>();

  step start(global<std::int64_t> at, std::uint32_t times, reply<void> out) {
    to = out;
    for (std::uint32_t i = 0; i < times; ++i) atomic_add(1, at, added.one());
    return await(added);
  }
  step tell() {
    to.send();
    return done;
  }
};
struct flood : round_trip<flood, std::int64_t> {
  static constexpr std::uint32_t times = 700;
  static std::int64_t expected(std::uint32_t) { return times * processors(); }
  step write() {
    for (std::uint32_t i = 0; i < processors(); ++i)
      for (std::uint32_t by = 0; by < processors(); ++by)
        invoke<flooder>(by, place[i], times, written.into());
    return await(written);
  }
};

TEST_P(split_phase, nothing_is_lost_or_stuck_when_every_processor_floods_every_other) {
  expect_no_faults<flood>();
}

/// From every processor to every other: a large value and then a small one over its head.
struct overwriter : threaded<overwriter> {
  reply<void> to;
  global<pattern<500>> place;
  int left;
  join written = on<&overwriter::again>();

  step start(global<pattern<500>> target, int rounds, reply<void> out) {
    to = out;
    place = target;
    left = rounds;
    return again();
  }
  step again() {
    if (left-- == 0) {
      to.send();
      return done;
    }
    put(pattern<500>::of(1), place, written.one());
    put(pattern<4>::of(200), global<pattern<4>>{place.raw}, written.one());
    return await(written);
  }
};
struct overwrites : threaded<overwrites> {
  int* faults;
  join placed = on<&overwrites::write>();
  join written = on<&overwrites::read>();
  join returned = on<&overwrites::finish>();
  std::array<global<pattern<500>>, most * most> place;
  std::array<pattern<500>, most * most> back;

  std::uint32_t pairs() { return processors() * processors(); }
  step start(int* count) {
    faults = count;
    *faults = 0;
    for (std::uint32_t i = 0; i < pairs(); ++i)
      allocate(i % processors(), 1, place[i], placed.one());
    return await(placed);
  }
  step write() {
    for (std::uint32_t i = 0; i < pairs(); ++i)
      invoke<overwriter>(i / processors(), place[i], 20, written.into());
    return await(written);
  }
  step read() {
    for (std::uint32_t i = 0; i < pairs(); ++i) get(place[i], back[i], returned.one());
    return await(returned);
  }
  step finish() {
    pattern<500> expected = pattern<500>::of(1);
    std::memcpy(&expected, pattern<4>::of(200).byte, 4);
    for (std::uint32_t i = 0; i < pairs(); ++i) {
      *faults += !(back[i] == expected);
      release(place[i]);
    }
    return done;
  }
};

TEST_P(split_phase, a_small_put_never_overtakes_a_large_one) { expect_no_faults<overwrites>(); }

// --- atomic add ---

constexpr int adds_each = 60;
struct olds {
  std::array<std::int64_t, adds_each> value;
};

}  // namespace

template <>
inline constexpr bool position_independent<olds> = true;

namespace {

struct adder : threaded<adder> {
  reply<olds> to;
  olds before;
  join added = on<&adder::tell>();

  step start(global<std::int64_t> at, reply<olds> out) {
    to = out;
    for (std::int64_t& each : before.value) {
      atomic_add(1, at, each, added.one());
      atomic_add(1000, at + 1, added.one());
    }
    return await(added);
  }
  step tell() {
    to.send(before);
    return done;
  }
};
struct adds : threaded<adds> {
  int* faults;
  join placed = on<&adds::add>();
  join added = on<&adds::read>();
  join returned = on<&adds::finish>();
  std::array<global<std::int64_t>, most> counter;   // two of them on each processor
  std::array<std::array<olds, most>, most> before;  // by counter, then by adder
  std::array<std::int64_t, most * 2> sums;

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) allocate(i, 2, counter[i], placed.one());
    return await(placed);
  }
  step add() {
    for (std::uint32_t i = 0; i < processors(); ++i)
      for (std::uint32_t by = 0; by < processors(); ++by)
        invoke<adder>(by, counter[i], added.into(before[i][by]));
    return await(added);
  }
  step read() {
    for (std::uint32_t i = 0; i < processors(); ++i)
      block_move(counter[i], to_global(sums[i * 2]), 2, returned.one());
    return await(returned);
  }
  step finish() {
    const std::int64_t expected = adds_each * processors();
    for (std::uint32_t i = 0; i < processors(); ++i) {
      *faults += sums[i * 2] != expected;
      *faults += sums[i * 2 + 1] != expected * 1000;
      std::vector<std::int64_t> seen;
      for (std::uint32_t by = 0; by < processors(); ++by)
        for (const std::int64_t each : before[i][by].value) seen.push_back(each);
      std::sort(seen.begin(), seen.end());
      for (std::int64_t each = 0; each < expected; ++each)
        *faults += seen[static_cast<std::size_t>(each)] != each;
      release(counter[i]);
    }
    return done;
  }
};

TEST_P(split_phase, adds_of_many_come_to_their_sum_and_each_sees_another_old_value) {
  expect_no_faults<adds>();
}

// --- memory ---

struct releaser : threaded<releaser> {
  step start(global<std::int64_t> place, reply<void> to) {
    release(place);
    to.send();
    return done;
  }
};
struct memory_everywhere : threaded<memory_everywhere> {
  static constexpr std::size_t count = 1000;
  int* faults;
  std::array<global<std::int64_t>, most> place, empty;
  std::vector<std::int64_t> back;
  join placed = on<&memory_everywhere::fetch>();
  join fetched = on<&memory_everywhere::give_back>();
  join released = on<&memory_everywhere::finish>();

  step start(int* faults_found) {
    faults = faults_found;
    *faults = 0;
    back.resize(count * processors(), -1);
    for (std::uint32_t i = 0; i < processors(); ++i) {
      allocate(i, count, place[i], placed.one());
      allocate(i, 0, empty[i], placed.one());
    }
    return await(placed);
  }
  step fetch() {
    for (std::uint32_t i = 0; i < processors(); ++i) {
      *faults += !place[i] || place[i].owner() != i;
      *faults += !empty[i] || empty[i].owner() != i;
      block_move(place[i], to_global(back[i * count]), count, fetched.one());
    }
    return await(fetched);
  }
  step give_back() {
    for (const std::int64_t each : back) *faults += each != 0;
    // From anywhere: each is released by its right neighbour.
    for (std::uint32_t i = 0; i < processors(); ++i) {
      invoke<releaser>((i + 1) % processors(), place[i], released.into());
      release(empty[i]);
    }
    return await(released);
  }
  step finish() { return done; }
};

TEST_P(split_phase, memory_is_had_on_any_processor_zeroed_and_released_from_anywhere) {
  expect_no_faults<memory_everywhere>();
}

}  // namespace
}  // namespace terrane
