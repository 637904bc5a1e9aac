// SPDX-License-Identifier: Apache-2.0
// with_adder_test.cpp: the program adder gives the known answer on every machine, under every
// balancer, and where its elements move.
#include "programs/adder/adder.hpp"
#include "terrane/balance/table.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

bool is_known_8_by_8(const programs::adder_outcome& all) {
  return all.right && all.fnv == 0x294d4362bf8e3ac3u && all.firings == 10'120 &&
         all.passed == std::array<std::uint64_t, 4>{2248, 1920, 1344, 2496} && all.least == 99 &&
         all.most == 153;
}

/// A run of few items, for machines of more processors than there are cores.
bool is_known_2_by_2(const programs::adder_outcome& all) {
  return all.right && all.fnv == 0xf0e3f7589664ae81u && all.firings == 546 &&
         all.passed == std::array<std::uint64_t, 4>{118, 88, 76, 148} && all.most == 117;
}

class adders : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, adders, small_machines(), machine_name);

TEST_P(adders, add_as_the_reference_does) {
  expect([](faults& wrong) { wrong.unless(is_known_2_by_2(programs::run_adder(2, 2))); });
}

void expect_known(const char* world, const char* balancer, int nodes, thread_code code) {
  run_options options;
  options.world = world;
  options.nodes = nodes;
  options.processors = 1;
  options.balancer = balancer;
  int count = -1;
  run_machine<in_a_thread>(options, &count, code);
  EXPECT_EQ(count, 0) << world << " " << balancer << " " << nodes;
}
void add_2_by_2(faults& wrong) { wrong.unless(is_known_2_by_2(programs::run_adder(2, 2))); }
void add_8_by_8(faults& wrong) { wrong.unless(is_known_8_by_8(programs::run_adder(8, 8))); }

TEST(adder, adds_more_on_one_processor_and_four) {
  expect_known("local", "rand", 1, add_8_by_8);
  expect_known("sim", "rand", 4, add_8_by_8);
}

TEST(adder, adds_under_every_balancer_and_on_16_nodes) {
  for (const char* balancer :
       {"nop", "rand", "spn", "dual", "his", "shis", "snd", "range", "catapult", "adaptive"})
    expect_known("sim", balancer, 4, add_2_by_2);
  for (int nodes = 5; nodes <= 16; ++nodes) expect_known("sim", "rand", nodes, add_2_by_2);
}

TEST(long_adder, adds_all_pairs) {
  int count = -1;
  run_options options;
  options.processors = 1;
  run_machine<in_a_thread>(options, &count, thread_code([](faults& wrong) {
                             const auto all = programs::run_adder(256, 256);
                             wrong.unless(all.right && all.fnv == 0xa780b0a6b766ad53u &&
                                          all.firings == 13'959'424 && all.least == 99 &&
                                          all.most == 243);
                           }));
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace terrane
