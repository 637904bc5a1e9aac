// SPDX-License-Identifier: Apache-2.0
// with_wator_test.cpp: the sea of wator is the reference's, whatever the number of regions, the
// machine and the balancer.
#include "programs/wator/sequential.hpp"
#include "programs/wator/wator.hpp"
#include "terrane/balance/table.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

using programs::placement;
using programs::sea_grid;

bool is_known(const programs::sea_outcome& sea, std::uint64_t fnv,
              const programs::sea_count& last) {
  return sea.fnv == fnv && sea.every_ten_steps.back().fish_in == last.fish_in &&
         sea.every_ten_steps.back().sharks == last.sharks;
}
/// As reference programs in C print them: 100 steps, side 100.
bool is_seed_1(const programs::sea_outcome& sea) {
  return is_known(sea, 0x3c9524385029da2bu, {{1140, 865, 1054, 1304}, 686}) &&
         sea.every_ten_steps[3].all_fish() == 2176 && sea.every_ten_steps[3].sharks == 1276;
}
bool is_seed_2(const programs::sea_outcome& sea) {
  return sea.fnv == 0xdd66259e97a3271du && sea.every_ten_steps.back().all_fish() == 4118 &&
         sea.every_ten_steps.back().sharks == 609;
}
bool is_equal(const programs::sea_outcome& one, const programs::sea_outcome& other) {
  return is_known(one, other.fnv, other.every_ten_steps.back());
}

TEST(wator, is_the_references_in_one_region) {
  int count = -1;
  run_options options;
  options.processors = 1;
  run_machine<in_a_thread>(options, &count, thread_code([](faults& wrong) {
                             wrong.unless(is_seed_1(programs::wator_sequential(1, 100, 100)));
                             wrong.unless(is_seed_2(programs::wator_sequential(2, 100, 100)));
                           }));
  EXPECT_EQ(count, 0);
}

class seas : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, seas, small_machines(), machine_name);

TEST_P(seas, are_the_same_in_any_partition) {
  expect([](faults& wrong) {
    const auto whole = programs::wator_sequential(5, 12, 40);
    charge(programs::wator_cell, 0);
    for (const int threads : {1, 4, 6})
      wrong.unless(
          is_equal(programs::run_wator(sea_grid(5, 40, threads), 12, placement(0)), whole));
    wrong.unless(is_equal(programs::run_wator(sea_grid(5, 40, 9), 12, placement(1)), whole));
  });
}

void expect_right(const char* world, const char* balancer, int nodes, thread_code code) {
  run_options options;
  options.world = world;
  options.nodes = nodes;
  options.processors = 1;
  options.balancer = balancer;
  int count = -1;
  run_machine<in_a_thread>(options, &count, code);
  EXPECT_EQ(count, 0) << world << " " << balancer << " " << nodes;
}

void known_of_16(faults& wrong) {
  programs::take_slices();
  wrong.unless(is_seed_1(programs::run_wator(sea_grid(1, 100, 16), 100, placement(0))));
}
void known_of_seed_2(faults& wrong) {
  wrong.unless(is_seed_2(programs::run_wator(sea_grid(2, 100, 7), 100, placement(2))));
}
void known_of_64(faults& wrong) {
  wrong.unless(is_seed_1(programs::run_wator(sea_grid(1, 100, 64), 100, placement(1))));
}

TEST(wator, is_the_references_in_every_world) {
  expect_right("local", "rand", 2, known_of_16);
  expect_right("shm", "rand", 2, known_of_seed_2);
  expect_right("sim", "rand", 6, known_of_16);
}

void known_of_4(faults& wrong) {
  programs::take_slices();
  wrong.unless(is_seed_1(programs::run_wator(sea_grid(1, 100, 4), 100, placement(1))));
}

TEST(wator, is_the_references_while_a_central_balancer_moves_its_threads) {
  for (const char* world : {"local", "shm", "sim"}) {
    expect_right(world, "central:sample=10", 3, known_of_16);
    expect_right(world, "central:sample=10,apart=1", 3, known_of_seed_2);
    expect_right(world, "central:sample=10", 2, known_of_4);
  }
}

TEST(long_wator, is_the_references_under_every_balancer_and_on_16_nodes) {
  for (const char* balancer : {"nop", "rand", "spn", "dual", "his", "shis", "snd", "range",
                               "catapult", "adaptive", "central:sample=10"})
    expect_right("sim", balancer, 4, known_of_64);
  for (const int nodes : {1, 3, 8, 16}) {
    expect_right("sim", "rand", nodes, known_of_16);
    expect_right("sim", "rand", nodes, known_of_seed_2);
  }
}

}  // namespace
}  // namespace terrane
