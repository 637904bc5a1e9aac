// SPDX-License-Identifier: Apache-2.0
// faults.hpp: what may go wrong on a simulated machine, how often, and the dice that decide it.
//
// Words       delay    share of messages that take up to 10 latencies longer
//             heavy    share of messages late by a Pareto law: one latency or more, 10,000 at most
//             reorder  share of messages held back by up to 2 latencies, so that others overtake
//             slow     share of nodes that compute 10 times slower
//             pause    share of turns after which their node stands still for 1 to 1000 latencies
//             late     share of nodes that start late, by up to 1000 latencies
//             rare     share of the cases in which a rare branch of the runtime is taken early; in
//                      every world, of builds with TERRANE_RARE_COMMON (base/rare.hpp)
// Units       Each a number from 0 to 1 (rare: to 0.9). A latency is the network's, or 1 us where
//             that is less.
// Invariants  Messages of one pair keep their order, and none is lost or doubled: the simulated
//             machine is as bad as a real one may be, not worse. Dice have streams of their own,
//             so that a fault of rate 0 changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/base/result.hpp"

namespace terrane {

/// Bugs of the runtime itself, for the test that shows how soon seeds find them.
enum class planted_bug : std::uint8_t {
  none,
  lost_signal,    // of two messages found at one look, the second one's signal may be lost
  doubled_token,  // a token that comes while another waits may be given twice
  late_reset,     // a slot is reset when its fiber runs, so signals since it fired are forgotten
};

struct fault_options {
  double delay = 0, heavy = 0, reorder = 0, slow = 0, pause = 0, late = 0, rare = 0;
  planted_bug bug = planted_bug::none;  // no words set it
  /// A message may come later than the network says.
  bool of_messages() const { return delay > 0 || heavy > 0 || reorder > 0; }
};

/// Reads `delay=0.1,pause=0.001`, or `none`. A wrong word is a sentence that completes "--faults".
result<fault_options> read_faults(std::string_view text);
/// The text that read_faults reads as these; `none` where nothing goes wrong.
std::string to_text(const fault_options& options);

class fault_plan {
 public:
  fault_plan(const fault_options& options, std::uint32_t nodes, std::uint64_t latency_ns,
             std::uint64_t seed);

  static constexpr std::uint64_t slowness = 10;
  bool slow(std::uint32_t node) const { return nodes_[node].slow; }
  std::uint64_t start_ns(std::uint32_t node) const { return nodes_[node].start_ns; }

  /// By how much the next message is late.
  std::uint64_t message_delay_ns();
  /// How long a node stands still after this turn; mostly 0.
  std::uint64_t pause_ns();
  /// For a planted bug: true now and then.
  bool strikes() { return bugs_.below(4) == 0; }

 private:
  static bool happens(double rate, random_stream& dice);

  struct node_faults {
    bool slow;
    std::uint64_t start_ns;
  };
  const fault_options options_;
  const std::uint64_t latency_ns_;
  random_stream messages_, pauses_, bugs_;
  std::vector<node_faults> nodes_;
};

}  // namespace terrane
