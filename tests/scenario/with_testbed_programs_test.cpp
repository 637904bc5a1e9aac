// SPDX-License-Identifier: Apache-2.0
// with_testbed_programs_test.cpp: the Testbed's programs do what they are told to, on every small
// machine, and an element of the adder remembers its state.
#include "programs/adder/adder.hpp"
#include "programs/local/latency.hpp"
#include "programs/migrate/migrate.hpp"
#include "programs/multi_phase/multi_phase.hpp"
#include "programs/overflow/overflow.hpp"
#include "programs/synthetic/synthetic.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

using programs::placement;

class testbed_programs : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, testbed_programs, small_machines(), machine_name);

TEST_P(testbed_programs, exchange_and_compute_what_was_asked_for) {
  expect([](faults& wrong) {
    programs::take_slices();
    for (const int start : {0, 1, 5}) {
      const auto made = programs::run_synthetic({3, 4, 2, 0, 6, 50}, placement(start));
      wrong.unless(made.messages == 30 && made.ms == 200);
    }
    wrong.unless(programs::run_multi_phase(3, placement(0)) == 600);
    for (const node_id to : {node_id{0}, terrane_nodes() - 1}) {
      const auto sent = programs::run_latency({5, 3, false}, to);
      wrong.unless(sent.messages == 15 && sent.bytes == 3L * (5 + 1000 * 10));
    }
    const auto moved = programs::run_migrate(6);
    wrong.unless(moved.bytes == 30'000 && (moved.moves == 0 || moved.moves == 6));
    wrong.unless(terrane_nodes() > 1 || moved.moves == 0);
  });
}

/// [TESTBED §3.3.7]: 1,129 pairs a second are read, 1,146 are too many for 30 seconds.
TEST(overflows_of_the_monitor, come_at_the_papers_rate) {
  int count = -1;
  run_machine<in_a_thread>(run_options{}, &count, thread_code([](faults& wrong) {
                             const auto more = programs::run_overflow(873, 907, 1280, 30);
                             wrong.unless(more.overflows && more.pairs == 34'120);
                             const auto less = programs::run_overflow(886, 907, 1280, 30);
                             wrong.unless(!less.overflows && less.pairs == 33'861);
                           }));
  EXPECT_EQ(count, 0);
}

/// Threads that yield leave for the pool, and news waits for them at the channel's home. A receiver
/// that comes back hears there that the sender has closed.
TEST(programs_on_the_testbed, end_where_receivers_come_back_after_the_last_item) {
  for (const char* balancer : {"nop", "central", "rand"}) {
    run_options options;
    options.world = "sim";
    options.network = "testbed";
    options.nodes = 2;
    options.processors = 1;
    options.balancer = balancer;
    int count = -1;
    run_machine<in_a_thread>(options, &count, thread_code([](faults& wrong) {
                               programs::take_slices();
                               const auto made =
                                   programs::run_synthetic({2, 0, 0, 0, 20, 0}, placement(1));
                               wrong.unless(made.messages == 40);
                             }));
    EXPECT_EQ(count, 0) << balancer;
  }
}

/// S and R set and reset its state and pass on; T goes out where the state says.
TEST_P(testbed_programs, have_an_element_with_a_state) {
  expect([](faults& wrong) {
    using namespace programs;
    gate keller;
    keller.which = P;
    keller.inputs = 3;
    std::array<record_out, 3> pins;
    std::array<record_in, 4> outputs;
    for (std::size_t i = 0; i < pins.size(); ++i) {
      const auto made = channel_ends<delay_record>::make();
      keller.in[i] = made.in;
      pins[i] = made.out;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto made = channel_ends<delay_record>::make();
      keller.out[i][0] = made.out;
      keller.outs[i] = 1;
      outputs[i] = made.in;
    }
    constexpr int set = 0, reset = 1, test = 2;
    constexpr std::size_t told_set = 0, told_reset = 1, is_0 = 2, is_1 = 3;
    const auto around = [&] {
      const auto fires = [&](int pin, std::size_t to) {
        pins[static_cast<std::size_t>(pin)].send({});
        const auto came = outputs[to].receive();
        wrong.unless(came && came->passed == std::array<std::uint32_t, 4>{1, 0, 0, 0});
      };
      fires(test, is_0);
      fires(set, told_set);
      fires(test, is_1);
      fires(set, told_set);
      fires(test, is_1);
      fires(reset, told_reset);
      fires(test, is_0);
      for (const auto& each : pins) each.close();
      for (const auto& each : outputs) each.close();
    };
    const auto element = [keller] { this_thread::exit(working_gate(keller).run()); };
    par_branches all(2);
    all.add(around);
    all.add(on(terrane_nodes() - 1, element));
    wrong.unless(all.join().back() == 7);
  });
}

}  // namespace
}  // namespace terrane
