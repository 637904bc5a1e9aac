// SPDX-License-Identifier: Apache-2.0
// istruct_test.cpp: elements written once, elements that are full or empty, and what nodes keep.
#include "terrane/talk/istruct.hpp"

#include <array>
#include <cstring>

#include "terrane/talk/mstruct.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class structures : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, structures, small_machines(), machine_name);

/// An odd size, so that elements lie at odd places.
struct odd {
  unsigned char bytes[7];
};

}  // namespace

template <>
inline constexpr bool position_independent<odd> = true;

namespace {

odd made_of(std::uint32_t index) {
  odd made;
  for (unsigned char& each : made.bytes) each = static_cast<unsigned char>(index * 7 + 1);
  return made;
}

constexpr std::uint32_t elements = 500;  // more than a block, and not a multiple of one

/// Reads every element twice, half of them before they are written; the second time all are there.
struct odd_reader : threaded<odd_reader> {
  istruct<odd> from;
  reply<int> faults;
  std::array<odd, elements> got;
  bool again = false;
  slot all = on<&odd_reader::check>(elements);

  step start(istruct<odd> the_one, reply<int> to) {
    from = the_one;
    faults = to;
    return read();
  }
  step read() {
    for (std::uint32_t i = 0; i < elements; ++i) from.read(i, got[i], ref(all));
    return wait;
  }
  step check() {
    int found = 0;
    for (std::uint32_t i = 0; i < elements; ++i)
      found += std::memcmp(got[i].bytes, made_of(i).bytes, sizeof(odd)) != 0;
    if (!again && found == 0) {
      again = true;
      return read();
    }
    faults.send(found);
    return done;
  }
};
struct odd_writer : threaded<odd_writer> {
  step start(istruct<odd> to, std::uint32_t first, reply<void> written) {
    for (std::uint32_t i = first; i < elements; i += 2) to.write(i, made_of(i));
    written.send();
    return done;
  }
};
struct readers_and_writers : threaded<readers_and_writers> {
  int* faults;
  std::array<int, small_machine_processors_max> found{};
  join all = on<&readers_and_writers::finish>();
  istruct<odd> whole = istruct<odd>::make(elements);

  step start(int* count) {
    faults = count;
    invoke<odd_writer>(processors() - 1, whole, 1u, all.into());
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<odd_reader>(i, whole, all.into(found[i]));
    invoke<odd_writer>(0, whole, 0u, all.into());
    return await(all);
  }
  step finish() {
    *faults = 0;
    for (const int each : found) *faults += each;
    whole.free();
    return done;
  }
};

TEST_P(structures, every_reader_gets_every_element_however_early_it_asks) {
  expect_no_faults<readers_and_writers>();
}

/// Reads every `stride`-th of 16 elements, one after the other.
struct reads_stretch : threaded<reads_stretch> {
  istruct<long> from;
  reply<void> to;
  std::uint32_t next = 0, step_by;
  long got = 0;
  slot there = on<&reads_stretch::another>(1);

  step start(istruct<long> the_one, std::uint32_t stride, reply<void> over) {
    from = the_one;
    to = over;
    step_by = stride;
    return another();
  }
  step another() {
    if (next >= 16) {
      to.send();
      return done;
    }
    from.read(next, got, ref(there));
    next += step_by;
    return wait;
  }
};
/// Elements 0 to 15 are written before anybody reads, the others never.
struct keeps_blocks : threaded<keeps_blocks> {
  int* faults;
  istruct<long> whole = istruct<long>::make(100);
  join over = on<&keeps_blocks::finish>();
  step start(int* count) {
    faults = count;
    for (std::uint32_t i = 0; i < 16; ++i) whole.write(i, i);
    invoke<reads_stretch>(processors() - 1, whole, 1, over.into());
    return await(over);
  }
  step finish() {
    *faults = 0;
    return done;
  }
};

TEST_P(structures, a_node_fetches_a_block_once_and_answers_the_rest_itself) {
  int faults = -1;
  const auto outcome = run_machine<keeps_blocks>(machine(1), &faults);
  EXPECT_EQ(faults, 0);
  const bool elsewhere = GetParam().nodes > 1;
  EXPECT_EQ(outcome.statistics.cache_misses, elsewhere ? 1u : 0u);
  EXPECT_EQ(outcome.statistics.cache_hits, elsewhere ? 15u : 0u);
}

/// Writes some elements, has them read, writes others of the same block, has all read again.
struct fills_a_block_in_two : threaded<fills_a_block_in_two> {
  int* faults;
  istruct<long> whole = istruct<long>::make(16);
  join once = on<&fills_a_block_in_two::write_more>();
  join over = on<&fills_a_block_in_two::finish>();
  step start(int* count) {
    faults = count;
    for (std::uint32_t i = 0; i < 8; ++i) whole.write(2 * i, i);
    invoke<reads_stretch>(processors() - 1, whole, 2, once.into());
    return await(once);
  }
  step write_more() {
    for (std::uint32_t i = 0; i < 8; ++i) whole.write(2 * i + 1, i);
    invoke<reads_stretch>(processors() - 1, whole, 1, over.into());
    return await(over);
  }
  step finish() {
    *faults = 0;
    return done;
  }
};

TEST_P(structures, a_node_keeps_what_it_has_of_a_block_when_more_of_it_comes) {
  int faults = -1;
  const auto outcome = run_machine<fills_a_block_in_two>(machine(1), &faults);
  EXPECT_EQ(faults, 0);
  const bool elsewhere = GetParam().nodes > 1;
  EXPECT_EQ(outcome.statistics.cache_misses, elsewhere ? 2u : 0u);
  EXPECT_EQ(outcome.statistics.cache_hits, elsewhere ? 22u : 0u);
}

// --- M-structures ---

/// Adds one to an element, so many times, by taking it and putting it back.
struct adder : threaded<adder> {
  mstruct<long> cells;
  reply<void> to;
  int left = 50;
  long value = 0;
  slot taken = on<&adder::put_back>(1);
  step start(mstruct<long> the_cells, reply<void> over) {
    cells = the_cells;
    to = over;
    return again();
  }
  step again() {
    if (left-- == 0) {
      to.send();
      return done;
    }
    cells.take(3, value, ref(taken));
    return wait;
  }
  step put_back() {
    cells.put(3, value + 1);
    return again();
  }
};
struct adders : threaded<adders> {
  int* faults;
  long value = 0;
  mstruct<long> cells = mstruct<long>::make(5);
  join all = on<&adders::look>();
  slot there = on<&adders::finish>(1);
  step start(int* count) {
    faults = count;
    *faults = 1;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<adder>(i, cells, all.into());
    cells.put(3, 7);
    return await(all);
  }
  step look() {
    cells.take(3, value, ref(there));
    return wait;
  }
  step finish() {
    *faults = value != 7 + 50 * static_cast<long>(processors());
    cells.free();
    return done;
  }
};

TEST_P(structures, an_element_that_is_taken_is_nobody_elses_until_it_is_put_back) {
  expect_no_faults<adders>();
}

// --- misuse ---

struct writes_twice : threaded<writes_twice> {
  step start(int) {
    const auto row = istruct<int>::make(4);
    row.write(2, 1);
    row.write(2, 1);
    return done;
  }
};
struct puts_twice : threaded<puts_twice> {
  step start(int) {
    const auto cells = mstruct<int>::make(4);
    cells.put(2, 1);
    cells.put(2, 1);
    return done;
  }
};
struct reads_beyond : threaded<reads_beyond> {
  int got = 0;
  slot there = on<&reads_beyond::never>(1);
  step start(int) {
    istruct<int>::make(4).read(4, got, ref(there));
    return wait;
  }
  step never() { return done; }
};
struct frees_while_read : threaded<frees_while_read> {
  int got = 0;
  slot there = on<&frees_while_read::never>(1);
  step start(int) {
    const auto row = istruct<int>::make(4);
    row.read(1, got, ref(there));
    row.free();
    return wait;
  }
  step never() { return done; }
};
struct reads_what_was_freed : threaded<reads_what_was_freed> {
  int got = 0;
  slot there = on<&reads_what_was_freed::never>(1);
  step start(int) {
    const auto row = istruct<int>::make(4);
    row.free();
    row.read(1, got, ref(there));
    return wait;
  }
  step never() { return done; }
};

using structure_errors = run_to_failure;

TEST_F(structure_errors, writing_an_element_twice_is_r260) {
  expect_failure<patient<writes_twice>>(
      machine_of(2), "R-260: processor 1 wrote element 2 of an I-structure, which has a value", 0);
  expect_failure<patient<puts_twice>>(
      machine_of(2),
      "R-260: processor 1 put a value into element 2 of an M-structure, which was full", 0);
}
TEST_F(structure_errors, an_element_that_is_not_there_is_r262) {
  expect_failure<patient<reads_beyond>>(
      machine_of(1), "R-262: element 4 was named of an I-structure of 4 elements", 0);
}
TEST_F(structure_errors, freeing_while_somebody_reads_is_r265) {
  expect_failure<patient<frees_while_read>>(machine_of(1), "R-265: the I-structure was freed", 0);
}
TEST_F(structure_errors, reading_what_was_freed_is_r261) {
  expect_failure<patient<reads_what_was_freed>>(machine_of(1), "R-261: .*I-structure", 0);
}

}  // namespace
}  // namespace terrane
