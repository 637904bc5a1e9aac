// SPDX-License-Identifier: Apache-2.0
// block_move_test.cpp: blocks and strided elements move between any two processors on behalf of any
// third, and the activation that is signalled finds the data there.
//
// Invariants  No processor reads another's memory directly: to check data on another processor, a
//             test fetches them by a split-phase operation.
#include <array>
#include <numeric>
#include <vector>

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

constexpr std::uint32_t most = small_machine_processors_max;

class block_moves : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, block_moves, small_machines(), machine_name);

// --- three and four parties ---

/// Moves longs between any two processors from a third, and says so when they are there.
struct mover : threaded<mover> {
  reply<void> to;
  join moved = on<&mover::tell>();

  step start(global<std::int64_t> from, global<std::int64_t> target, std::uint32_t count,
             reply<void> out) {
    to = out;
    block_move(from, target, count, moved.one());
    return await(moved);
  }
  step tell() {
    to.send();
    return done;
  }
};
/// The same, with the signal to somebody else: it need not live to see the end.
struct absent_mover : threaded<absent_mover> {
  step start(global<std::int64_t> from, global<std::int64_t> target, std::uint32_t count,
             slot_ref when) {
    block_move(from, target, count, when);
    return done;
  }
};

template <bool Absent>
struct moves_between_all : threaded<moves_between_all<Absent>> {
  using self = moves_between_all;
  static constexpr std::uint32_t count = 13;
  int* faults;
  std::uint32_t all;
  std::array<global<std::int64_t>, most> source, target;
  std::vector<std::int64_t> back;
  join placed = self::template on<&self::fill>();
  join filled = self::template on<&self::move>();
  join moved = self::template on<&self::fetch>();
  join fetched = self::template on<&self::finish>();

  /// What processor `from` has at index i of its source.
  static std::int64_t value(std::uint32_t from, std::uint32_t i) { return from * 1000 + i; }

  step start(int* faults_found) {
    faults = faults_found;
    *faults = 0;
    all = processors();
    back.resize(all * all * all * count, -1);
    for (std::uint32_t i = 0; i < all; ++i) {
      allocate(i, count, source[i], placed.one());
      allocate(i, all * all * count, target[i], placed.one());
    }
    return self::await(placed);
  }
  step fill() {
    for (std::uint32_t from = 0; from < all; ++from)
      for (std::uint32_t i = 0; i < count; ++i) put(value(from, i), source[from] + i, filled.one());
    return self::await(filled);
  }
  step move() {
    for (std::uint32_t caller = 0; caller < all; ++caller)
      for (std::uint32_t from = 0; from < all; ++from)
        for (std::uint32_t to = 0; to < all; ++to) {
          const auto where = target[to] + (caller * all + from) * count;
          if constexpr (Absent)
            self::template invoke<absent_mover>(caller, source[from], where, count, moved.one());
          else
            self::template invoke<mover>(caller, source[from], where, count, moved.into());
        }
    return self::await(moved);
  }
  step fetch() {
    const std::uint32_t each = all * all * count;
    for (std::uint32_t to = 0; to < all; ++to)
      block_move(target[to], to_global(back[to * each]), each, fetched.one());
    return self::await(fetched);
  }
  step finish() {
    for (std::uint32_t i = 0; i < back.size(); ++i)
      *faults += back[i] != value(i / count % all, i % count);
    for (std::uint32_t i = 0; i < all; ++i) {
      release(source[i]);
      release(target[i]);
    }
    return self::done;
  }
};

TEST_P(block_moves, a_block_moves_between_any_two_processors_on_behalf_of_any_third) {
  expect_no_faults<moves_between_all<false>>();
}

TEST_P(block_moves, the_signal_of_a_move_may_go_to_a_fourth_processor) {
  expect_no_faults<moves_between_all<true>>();
}

/// Waits for a signal, then fetches the value that was written before it.
struct observer : threaded<observer> {
  global<std::int64_t> place;
  reply<std::int64_t> to;
  std::int64_t seen;
  slot written = on<&observer::look>(1, 0);
  join got = on<&observer::tell>();

  step start(global<std::int64_t> where, reply<slot_ref> ready, reply<std::int64_t> out) {
    place = where;
    to = out;
    ready.send(ref(written));
    return wait;
  }
  step look() {
    get(place, seen, got.one());
    return await(got);
  }
  step tell() {
    to.send(seen);
    return done;
  }
};
struct putter : threaded<putter> {
  step start(std::int64_t value, global<std::int64_t> place, slot_ref when) {
    put(value, place, when);
    return done;
  }
};
struct observed_puts : threaded<observed_puts> {
  int* faults;
  std::uint32_t all;
  std::vector<global<std::int64_t>> place;  // for each caller, target and observer
  std::vector<slot_ref> when;
  std::vector<std::int64_t> seen;
  join placed = on<&observed_puts::watch>();
  join watched = on<&observed_puts::write>();
  join looked = on<&observed_puts::finish>();

  std::uint32_t triples() const { return all * all * all; }
  step start(int* count) {
    faults = count;
    *faults = 0;
    all = processors();
    place.resize(triples());
    when.resize(triples());
    seen.resize(triples());
    for (std::uint32_t i = 0; i < triples(); ++i)
      allocate(i / all % all, 1, place[i], placed.one());
    return await(placed);
  }
  step watch() {
    for (std::uint32_t i = 0; i < triples(); ++i)
      invoke<observer>(i / all / all, place[i], watched.into(when[i]), looked.into(seen[i]));
    return await(watched);
  }
  step write() {
    for (std::uint32_t i = 0; i < triples(); ++i)
      invoke<putter>(i % all, 1000 + i, place[i], when[i]);
    return await(looked);
  }
  step finish() {
    for (std::uint32_t i = 0; i < triples(); ++i) {
      *faults += seen[i] != 1000 + i;
      release(place[i]);
    }
    return done;
  }
};

TEST_P(block_moves, who_is_signalled_finds_the_data_whoever_put_it_wherever) {
  expect_no_faults<observed_puts>();
}

// --- strided ---

struct strides : threaded<strides> {
  static constexpr std::uint32_t rows = 6, columns = 5;
  static constexpr std::int64_t untouched = -7;
  int* faults;
  std::array<global<std::int64_t>, most> column, spread;
  std::array<std::int64_t, rows * columns> matrix, back, far;
  std::array<std::int64_t, rows> upside_down;
  join placed = on<&strides::scatter>();
  join scattered = on<&strides::gather>();
  join gathered = on<&strides::finish>();
  std::uint32_t target;

  step start(int* count) {
    faults = count;
    *faults = 0;
    target = processors() - 1;
    std::iota(matrix.begin(), matrix.end(), 0);
    back.fill(untouched);
    far.fill(untouched);
    allocate(target, rows, column[0], placed.one());
    allocate(target, rows * 3, spread[0], placed.one());
    return await(placed);
  }
  step scatter() {
    // Column 2 of the matrix: packed at the target, and there again with gaps, from the end.
    put_strided(&matrix[2], columns, column[0], 1, rows, scattered.one());
    put_strided(&matrix[2], columns, spread[0] + (rows - 1) * 3, -3, rows, scattered.one());
    put_strided(&matrix[0], 1, column[0], 1, 0, scattered.one());  // nothing, but its signal
    return await(scattered);
  }
  step gather() {
    get_strided(column[0], 1, &back[2], columns, rows, gathered.one());
    get_strided(spread[0], 3, upside_down.data(), 1, rows, gathered.one());
    block_move(spread[0], to_global(far[0]), rows * 3, gathered.one());
    return await(gathered);
  }
  step finish() {
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t i = 0; i < columns; ++i)
        *faults += back[row * columns + i] !=
                   (i == 2 ? static_cast<std::int64_t>(row * columns + 2) : untouched);
      *faults += upside_down[row] != (rows - 1 - row) * columns + 2;
    }
    for (std::uint32_t i = 0; i < rows * 3; ++i)
      *faults += far[i] != (i % 3 == 0 ? upside_down[i / 3] : 0);
    release(column[0]);
    release(spread[0]);
    return done;
  }
};

TEST_P(block_moves, strided_moves_touch_their_elements_only_in_both_directions_and_backwards) {
  expect_no_faults<strides>();
}

/// By the C ABI: the source, the target and the caller are three processors.
struct strides_between_others : threaded<strides_between_others> {
  static constexpr std::uint32_t count = 40;
  int* faults;
  global<std::int32_t> source, target;
  std::array<std::int32_t, count * 2> values, back;
  join placed = on<&strides_between_others::fill>();
  join filled = on<&strides_between_others::move>();
  join moved = on<&strides_between_others::fetch>();
  join fetched = on<&strides_between_others::finish>();

  step start(int* faults_found) {
    faults = faults_found;
    *faults = 0;
    allocate(1 % processors(), count * 2, source, placed.one());
    allocate(2 % processors(), count * 2, target, placed.one());
    return await(placed);
  }
  step fill() {
    std::iota(values.begin(), values.end(), 1);
    block_move(to_global(values[0]), source, count * 2, filled.one());
    return await(filled);
  }
  step move() {
    terrane_get_strided(source.raw, target.raw, {8, 8, count, 4}, moved.one().raw);
    return await(moved);
  }
  step fetch() {
    block_move(target, to_global(back[0]), count * 2, fetched.one());
    return await(fetched);
  }
  step finish() {
    for (std::uint32_t i = 0; i < count * 2; ++i)
      *faults += back[i] != (i % 2 == 0 ? static_cast<std::int32_t>(i + 1) : 0);
    release(source);
    release(target);
    return done;
  }
};

TEST_P(block_moves, a_strided_move_between_two_others_keeps_the_gaps_of_both) {
  expect_no_faults<strides_between_others>();
}

// --- large ---

struct large_moves : threaded<large_moves> {
  static constexpr std::size_t bytes = 1 << 20;
  int* faults;
  std::vector<unsigned char> first, back;
  std::array<global<unsigned char>, most> place;
  std::uint32_t at = 0;
  join placed = on<&large_moves::begin>();
  join moved = on<&large_moves::next>();

  step start(int* count) {
    faults = count;
    *faults = 0;
    first.resize(bytes);
    for (std::size_t i = 0; i < bytes; ++i) first[i] = static_cast<unsigned char>(i * 31 + i / 251);
    back.resize(bytes);
    for (std::uint32_t i = 0; i < processors(); ++i) allocate(i, bytes, place[i], placed.one());
    return await(placed);
  }
  step begin() {
    block_move(to_global(first[0]), place[0], bytes, moved.one());
    return await(moved);
  }
  step next() {
    // From each processor to the next one, and home from the last.
    if (++at < processors()) {
      block_move(place[at - 1], place[at], bytes, moved.one());
    } else if (at == processors()) {
      block_move(place[at - 1], to_global(back[0]), bytes, moved.one());
    } else {
      *faults += back != first;
      for (std::uint32_t i = 0; i < processors(); ++i) release(place[i]);
      return done;
    }
    return await(moved);
  }
};

TEST_P(block_moves, a_mebibyte_goes_from_processor_to_processor_and_comes_home_whole) {
  expect_no_faults<large_moves>();
}

}  // namespace
}  // namespace terrane
