// SPDX-License-Identifier: Apache-2.0
// with_misused_ends_test.cpp: misuses of channels' ends, what is said when threads wait for ever,
// and how fair a choice is.
#include <array>
#include <string>
#include <vector>

#include "terrane/thread/alt.hpp"
#include "terrane/thread/par.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class misused_ends : public run_to_failure {};

TEST_F(misused_ends, are_reported_with_both_threads) {
  expect_failure<in_a_bare_thread>(
      machine_of(1),
      "R-285: thread second uses the sending end of channel <0,[0-9]+>, which thread first owns.*",
      +[] {
        const auto [out, in] = channel_ends<int>::make();
        thread first = thread::create({.name = "first"}, [out] { out.send(1); });
        thread second = thread::create({.name = "second"}, [out] { out.send(2); });
        first.join();
        second.join();
      });
}

void owner_and_thief(int where) {
  const auto [out, in] = channel_ends<int>::make();
  const auto [go, come] = channel_ends<int>::make();
  par(
      [=] {
        this_thread::set_name("owner");
        out.send(1);
        go.send(1);
        this_thread::stop();
      },
      [in] { in.receive(); }, on(static_cast<node_id>(where), [come, out] {
        this_thread::set_name("thief");
        come.receive();
        out.send(3);
      }));
}

TEST_F(misused_ends, are_found_on_any_processor) {
  for (const int where : {0, 1})
    expect_failure<in_a_bare_thread>(
        machine_of(2),
        "R-285: thread thief uses the sending end of channel <0,[0-9]+>, which thread owner "
        "owns.*",
        where == 0 ? +[] { owner_and_thief(0); } : +[] { owner_and_thief(1); });
}

TEST_F(misused_ends, the_wrong_way_round_or_never_made) {
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-285: thread test sends to the receiving end of channel <0,[0-9]+>.*", +[] {
        const auto made = channel_ends<int>::make();
        channel_out<int>::of(made.in.raw()).send(1);
      });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-285: thread test receives from what is no end of a channel.*",
      +[] { channel_in<int>().receive(); });
}

TEST_F(misused_ends, items_that_are_too_large) {
  for (const int nodes : {1, 2})
    expect_failure<in_a_bare_thread>(
        machine_of(nodes),
        "R-263: an item of 40 bytes was sent over channel <0,[0-9]+> to a thread that takes 4 "
        "bytes at most.*",
        +[] {
          const auto [out, in] = channel_ends<int>::make();
          par(on(terrane_nodes() - 1,
                 [out] {
                   const std::array<int, 10> many{};
                   out.send_all(many);
                 }),
              [in] { in.receive(); });
        });
}

TEST_F(misused_ends, in_a_fiber) {
  struct sends : threaded<sends> {
    step start(int) {
      channel_ends<int>::make().out.send(1);
      return done;
    }
  };
  expect_failure<sends>(machine_of(1), "R-281: send may block.*", 0);
}

TEST_F(misused_ends, halt_ends_the_run) {
  expect_failure<in_a_bare_thread>(
      machine_of(2), "R-286: thread branch halts the run: the pump is dry.*",
      +[] { par(on(1, [] { halt("the pump is dry"); })); });
}

// --- threads that wait for ever ---

void wait_for_ever(faults&) {
  const auto one = channel_ends<int>::make(), other = channel_ends<int>::make();
  par([=] { one.out.send(1); },
      [=] {
        alt either{other.in, when(false, one.in)};
        either.wait();
      },
      on(terrane_nodes() - 1, [] { this_thread::stop(); }));
}

TEST(waiting_ends, are_named_in_the_report_of_a_deadlock) {
  for (const char* world : {"local", "sim", "shm"}) {
    run_options options = machine_of(2);
    options.world = world;
    int count = -1;
    const auto outcome = run_machine<in_a_thread>(options, &count, thread_code(wait_for_ever));
    EXPECT_TRUE(outcome.deadlock);
    const std::string said = describe_deadlock(outcome.left);
    EXPECT_NE(said.find("waits for the receiver of channel <0,"), std::string::npos) << said;
    EXPECT_NE(said.find("waits for a choice of <0,"), std::string::npos) << said;
    EXPECT_NE(said.find("waits for nothing: it stopped at "), std::string::npos) << said;
    EXPECT_NE(said.find("with_misused_ends_test.cpp:"), std::string::npos) << said;
  }
}

// --- choices ---

/// 64 ends, each always offered an item; how often each is chosen.
std::array<int, 64> chosen_of_64(bool by_priority, int choices) {
  std::array<int, 64> chosen{};
  std::vector<channel_ends<int>> all;
  for (int i = 0; i < 64; ++i) all.push_back(channel_ends<int>::make());
  const auto send = [&](int i) {
    while (all[static_cast<std::size_t>(i)].out.send(i)) {}
  };
  const auto choose = [&] {
    this_thread::yield();  // all senders wait now
    std::vector<choice> guards;
    for (const auto& each : all) guards.push_back(each.in);
    alt any(guards, by_priority);
    for (int i = 0; i < choices; ++i) {
      const std::size_t which = any.wait();
      chosen[which] += all[which].in.receive() == static_cast<int>(which);
      for (int turn = 0; turn < 2; ++turn) this_thread::yield();  // its sender offers the next
    }
    for (const auto& each : all) each.in.close();
  };
  par(65, [&](int i) { i < 64 ? send(i) : choose(); });
  return chosen;
}

TEST(choices, are_fair_unless_by_priority) {
  int count = -1;
  run_machine<in_a_thread>(machine_of(1), &count, thread_code([](faults& wrong) {
                             for (const int each : chosen_of_64(false, 64'000))
                               wrong.unless(each >= 999 && each <= 1001);
                             const auto chosen = chosen_of_64(true, 6'400);
                             wrong.unless(chosen[0] == 6'400);
                           }));
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace terrane
