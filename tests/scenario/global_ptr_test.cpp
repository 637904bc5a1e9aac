// SPDX-License-Identifier: Apache-2.0
// global_ptr_test.cpp: shared data that threads read and write through a pointer, wherever both
// are.
#include "terrane/thread/global_ptr.hpp"

#include <array>
#include <numeric>

#include "terrane/thread/handlers.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/run_to_failure.hpp"

namespace terrane {
namespace {

class global_pointers : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, global_pointers, small_machines(), machine_name);

struct body {
  double mass;
  std::int32_t position[3];
  std::int64_t visits;
};

}  // namespace
template <>
inline constexpr bool position_independent<body> = true;
namespace {

template <class T>
global_ptr<T> allocated(std::uint32_t processor, std::size_t count) {
  global<T> place;
  this_thread::await([&](slot_ref done) { allocate(processor, count, place, done); });
  return place;
}
template <class T>
void give_back(global_ptr<T> place) {
  release(global<T>(place));
}

TEST_P(global_pointers, read_write_and_step_through_data_of_any_processor) {
  expect([](faults& wrong) {
    for (std::uint32_t p = 0; p < terrane_processors(); ++p) {
      const global_ptr<long> cells = allocated<long>(p, 10);
      wrong.unless(cells && cells.owner() == p && cells.node() == terrane_node_of(p));
      for (int i = 0; i < 10; ++i) cells[i] = i * i;
      cells[3] = cells[2] + 1;
      cells[4] = cells[3];
      long sum = 0;
      for (global_ptr<const long> at = cells, end = at + 10; at != end; ++at) sum += *at;
      wrong.unless(sum == 285 - 9 - 16 + 5 + 5);
      global_ptr<long> last = cells + 9;
      wrong.unless(last - cells == 9 && cells < last && *(last - 1) == 64 && !global_ptr<long>());
      last -= 8;
      wrong.unless(*last == 1 && *--last == 0 && last == cells);
      give_back(cells);
    }
  });
}

TEST_P(global_pointers, read_and_write_many_and_members) {
  expect([](faults& wrong) {
    const std::uint32_t last = terrane_processors() - 1;
    const global_ptr<body> all = allocated<body>(last, 2000);
    std::vector<body> mine(2000);
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i].mass = static_cast<double>(i);
    all.write(mine);
    all[7].at(&body::visits) = 5;
    all[8].at(&body::mass) = 1.5;
    std::vector<body> back(2000);
    all.read(back);
    double sum = 0;
    for (const body& each : back) sum += each.mass;
    wrong.unless(sum == 1999.0 * 1000 - 8 + 1.5 && back[7].visits == 5);
    global_ptr<const body> read_only = all;
    wrong.unless((*read_only).at(&body::mass) == 0 && read_only[9].at(&body::mass) == 9);
    wrong.unless(static_cast<body>(all[1999]).mass == 1999);
    give_back(all);
  });
}

/// A walk over data that lie everywhere: the pointers go along, and stay right.
TEST_P(global_pointers, are_the_same_after_a_move) {
  expect([](faults& wrong) {
    in_moving_threads(wrong, 3, [](int which) {
      std::array<global_ptr<long>, small_machine_processors_max> parts;
      const std::uint32_t count = terrane_processors();
      for (std::uint32_t p = 0; p < count; ++p) {
        parts[p] = allocated<long>(p, 4);
        parts[p][1] = static_cast<long>(10 * p) + which;
      }
      bool right = true;
      for (std::uint32_t p = 0; p < count; ++p) {
        right = right && goes_to(parts[p].node(), stack_form::wiped);
        for (std::uint32_t q = 0; q < count; ++q)
          right = right && parts[q][1] == static_cast<long>(10 * q + p) + which;
        for (std::uint32_t q = 0; q < count; ++q) parts[q][1] = parts[q][1] + 1;
      }
      for (std::uint32_t p = 0; p < count; ++p) give_back(parts[p]);
      return right;
    });
  });
}

void adds(global_ptr<std::int64_t> sum, int times, reply<int> to) {
  for (int i = 0; i < times; ++i) sum.fetch_add(1);
  to.send(times);
}

TEST_P(global_pointers, add_without_losing_any) {
  expect([](faults& wrong) {
    std::int64_t sum = 0;
    std::vector<int> done_by(terrane_processors());
    thread_block& me = thread_block::current("a test");
    for (std::uint32_t p = 0; p < terrane_processors(); ++p)
      post<adds, runs_in::thread>(p, to_global_ptr(sum), 100,
                                  reply<int>{{me.expect(), &done_by[p]}});
    me.block();
    wrong.unless(sum == 100 * static_cast<std::int64_t>(terrane_processors()));
    wrong.unless(to_global_ptr(sum).fetch_add(1) == sum - 1);
  });
}

class global_pointers_errors : public run_to_failure {};

struct reads_in_a_fiber : threaded<reads_in_a_fiber> {
  step start(global_ptr<const long> place) { return *place == 1 ? done : wait; }
};
struct passes_its_place : threaded<passes_its_place> {
  long mine = 1;
  slot given_up = on<&passes_its_place::finish>(1, 0);
  step start(std::uint32_t to) {
    invoke<reads_in_a_fiber>(to, global_ptr<const long>(to_global_ptr(mine)));
    after(1'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

TEST_F(global_pointers_errors, in_fibers_read_what_is_here_and_nothing_else) {
  EXPECT_EQ(run_machine<passes_its_place>(machine_of(2), 0u).exit_code, 0);
  expect_failure<passes_its_place>(
      machine_of(2), "R-281: reading through a global_ptr may block, and a fiber never does", 1u);
}

struct reads_nothing : threaded<reads_nothing> {
  step start(int) { return *global_ptr<long>() == 1 ? done : wait; }
};

TEST_F(global_pointers_errors, to_nothing_are_r210) {
  expect_failure<reads_nothing>(machine_of(1),
                                "R-210: what a global_ptr points to is no place: it is null", 0);
}

}  // namespace
}  // namespace terrane
