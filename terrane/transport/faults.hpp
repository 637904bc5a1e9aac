// SPDX-License-Identifier: Apache-2.0
// faults.hpp: the faults of a simulated machine, their rates, and the random numbers that decide
// when they happen.
//
// Words       delay    share of messages that take up to 10 latencies longer
//             heavy    share of messages whose delay follows a Pareto law: 1 to 10,000 latencies
//             reorder  share of messages held back by up to 2 latencies, so that messages of other
//                      pairs overtake them
//             slow     share of nodes that compute 10 times slower
//             pause    share of turns after which their node stands still for 1 to 1000 latencies
//             late     share of nodes that start late, by up to 1000 latencies
//             rare     share of the cases in which a rare branch of the runtime is taken early; it
//                      works in every world, but needs a build with TERRANE_RARE_COMMON
//                      (base/rare.hpp)
// Units       Each rate is a number from 0 to 1 (rare: from 0 to 0.9). A latency is that of the
//             network, or 1 us if the network's is shorter.
// Invariants  Messages of one pair keep their order, and none is lost or doubled: the simulated
//             machine is as bad as a real one may be, not worse. Each kind of fault draws from a
//             random stream of its own, so a fault of rate 0 changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/base/result.hpp"

namespace terrane {

/// Deliberate bugs of the runtime. A test plants them to show how many seeds it takes to find them.
enum class planted_bug : std::uint8_t {
  none,
  lost_signal,    // a poll that finds several messages may lose the signals of all but the first
  doubled_token,  // a token that arrives while another waits may be delivered twice
  late_reset,     // a slot is reset only when its fiber runs, so it forgets signals in between
};

struct fault_options {
  double delay = 0, heavy = 0, reorder = 0, slow = 0, pause = 0, late = 0, rare = 0;
  planted_bug bug = planted_bug::none;  // read_faults() never sets it
  /// True if a message may arrive later than the network says.
  bool of_messages() const { return delay > 0 || heavy > 0 || reorder > 0; }
};

/// Reads a list such as `delay=0.1,pause=0.001`, or `none`. The error is the rest of a sentence
/// that begins with "--faults".
result<fault_options> read_faults(std::string_view text);
/// The text from which read_faults() makes these options; `none` if all rates are 0.
std::string to_text(const fault_options& options);

class fault_plan {
 public:
  fault_plan(const fault_options& options, std::uint32_t nodes, std::uint64_t latency_ns,
             std::uint64_t seed);

  static constexpr std::uint64_t slowness = 10;
  bool slow(std::uint32_t node) const { return nodes_[node].slow; }
  std::uint64_t start_ns(std::uint32_t node) const { return nodes_[node].start_ns; }

  /// How much later than the network says the next message arrives.
  std::uint64_t message_delay_ns();
  /// How long a node pauses after this turn; usually 0.
  std::uint64_t pause_ns();
  /// True if a planted bug is to act this time: once in four calls on average.
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
