// SPDX-License-Identifier: Apache-2.0
// multi_phase.hpp: the program multi_phase: 25 threads that pass eight phases together, from
// computing to communicating, with partners here or elsewhere, by short messages or long ones.
//
// Threads   Five on each of five nodes (fewer nodes: in turn). A thread has a channel to the next
//           on its node and one to the same on the next node; the last is followed by the first.
// Source    [TESTBED §3.3.6, §4.1.3, §A.4, Fig. 18]. The listing's phases that compute send
//           nothing, the figures' do: one message a turn.
#pragma once

#include <array>
#include <cstdio>
#include <span>
#include <vector>

#include "programs/arguments.hpp"
#include "programs/placement.hpp"
#include "programs/testbed_work.hpp"
#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/par.hpp"

namespace terrane::programs {

/// Codes of the program's own events: with the phase, and with the nanoseconds of a send.
enum : std::uint32_t { phase_begins, phase_ends, phase_sent };

struct phase_thread {
  using message_out = channel_out<unsigned char>;
  using message_in = channel_in<unsigned char>;

  int turns;
  std::size_t long_bytes;
  bool sends_first[2];  // here, elsewhere: so that no ring waits for itself
  message_out out[2];
  message_in in[2];
  channel_in<int> barrier;

  /// The events of the run say how long it took.
  void send(int elsewhere, std::span<const unsigned char> item) const {
    const std::uint64_t begin = terrane_now();
    out[elsewhere].send_all(item);
    terrane_event(phase_sent, static_cast<std::int64_t>(terrane_now() - begin));
  }

  void operator()() const {
    long_message message{};
    int sent = 0;
    for (int phase = 0; phase < 8; ++phase) {
      const bool communicates = (phase & 4) != 0;
      const int elsewhere = phase >> 1 & 1;
      const std::size_t bytes = (phase & 1) != 0 ? long_bytes : 1;
      barrier.receive();
      for (int turn = 0; turn < turns; ++turn, ++sent) {
        compute(communicates ? 1 : 10);
        const std::span<const unsigned char> item(message.data(), bytes);
        if (sends_first[elsewhere]) send(elsewhere, item);
        in[elsewhere].receive_all(message);
        if (!sends_first[elsewhere]) send(elsewhere, item);
        charge(testbed_ms, 0);
        this_thread::yield();
      }
      barrier.receive();
    }
    charge(testbed_ms, 0);
    this_thread::exit(sent);
  }
};

/// Returns how many messages all have sent.
inline int run_multi_phase(int turns, const placement& start,
                           std::size_t long_bytes = sizeof(long_message)) {
  constexpr std::uint32_t groups = 5, each = 5;
  std::array<phase_thread, std::size_t{groups} * each> all{};
  std::vector<channel_out<int>> barriers;
  for (std::uint32_t p = 0; p < groups; ++p)
    for (std::uint32_t i = 0; i < each; ++i) {
      phase_thread& one = all[p * each + i];
      one.turns = turns;
      one.long_bytes = long_bytes;
      one.sends_first[0] = i % 2 == 0;
      one.sends_first[1] = p % 2 == 0;
      const std::uint32_t next[] = {p * each + (i + 1) % each, (p + 1) % groups * each + i};
      for (std::size_t to = 0; to < 2; ++to) {
        const auto made = channel_ends<unsigned char>::make();
        one.out[to] = made.out;
        all[next[to]].in[to] = made.in;
      }
      const auto made = channel_ends<int>::make();
      one.barrier = made.in;
      barriers.push_back(made.out);
    }
  par_branches branches(all.size() + 1);
  const auto control = [&] {
    for (int phase = 0; phase < 8; ++phase) {
      for (const std::uint32_t side : {phase_begins, phase_ends}) {
        for (const auto& one : barriers) one.send(phase);
        terrane_event(side, phase);
      }
      compute(1000);
    }
  };
  branches.add(control);
  for (std::uint32_t i = 0; i < all.size(); ++i)
    branches.add(on(start.node_of(start.is_in_turn() ? i / each : i), all[i]));
  int sent = 0;
  for (const int code : branches.join()) sent += code;
  charge(testbed_ms, 0);
  return sent;
}

inline int multi_phase_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int turns = given.number("ITERATIONS", {.otherwise = 10, .least = 0, .most = 1'000'000});
  const placement start = placement::read(given);
  const int bytes = given.number("BYTES", {.otherwise = 5000, .least = 1, .most = 5000});
  if (!given.complete()) return 2;
  take_slices();
  std::printf("multi_phase(%d) = %d messages\n", turns,
              run_multi_phase(turns, start, static_cast<std::size_t>(bytes)));
  return 0;
}

}  // namespace terrane::programs
