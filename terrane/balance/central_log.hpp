// SPDX-License-Identifier: Apache-2.0
// central_log.hpp: the lines of the log of the balancer central.
//
//   TIM: 60258
//   LNK: 127 106 106 36 74 74 0 0 144 144 (av 81)
//   RQL: 4 5 1 1 1 (av 2)
//   move work from 3 to 5 to quieten link 9/3-5 (mig #6)
//   mig #6: 1-00-003 arrives at 5, time 60880
//
// Names       A thread is printed as three numbers: the processor that made it, how many threads of
//             that processor were printed before it, and which of the threads that lay in its place
//             it is. The second is a place in a table there, in the paper.
// Source      [TESTBED Fig. 41]. It prints no overloaded processor, and no request without a
//             thread: those lines are ours.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "terrane/balance/load_summary.hpp"

namespace terrane::balance {

/// To the nearest whole number.
template <class Whole>
Whole rounded_quotient(Whole sum, Whole parts) {
  return parts == 0 ? 0 : (2 * sum + parts) / (2 * parts);
}

class central_log {
 public:
  static std::string time(std::uint64_t ns) { return fmt::format("TIM: {}", ns / 1'000'000); }
  static std::string links(const load_summary& seen) {
    const auto mean = rounded_quotient<std::uint64_t>(seen.all_messages(), seen.links.size());
    return fmt::format("LNK: {} (av {})", fmt::join(seen.links, " "), mean);
  }
  static std::string queues(const load_summary& seen) {
    std::vector<std::int64_t> whole;
    for (const std::int64_t each : seen.queues)
      whole.push_back(rounded_quotient<std::int64_t>(each, 1000));
    const auto thousands = static_cast<std::int64_t>(1000 * seen.size());
    return fmt::format("RQL: {} (av {})", fmt::join(whole, " "),
                       rounded_quotient<std::int64_t>(seen.all_queues(), thousands));
  }
  /// link: its place, from 0.
  static std::string quieten(const load_summary& seen, node_id from, node_id to, std::size_t link,
                             std::uint32_t number) {
    const auto [low, high] = seen.ends_of(link);
    return fmt::format("move work from {} to {} to quieten link {}/{}-{} (mig #{})", from, to,
                       link + 1, low, high, number);
  }
  static std::string shorten(node_id from, node_id to, std::uint32_t number) {
    return fmt::format("move work from {} to {} to shorten queue {} (mig #{})", from, to, from,
                       number);
  }
  std::string arrives(std::uint32_t number, terrane_slot_ref thread, node_id at, std::uint64_t ns) {
    return fmt::format("mig #{}: {} arrives at {}, time {}", number, name_of(thread), at,
                       ns / 1'000'000);
  }
  static std::string tokens_go(std::uint32_t number, std::int64_t tokens, node_id to,
                               std::uint64_t ns) {
    return fmt::format("mig #{}: {} tokens go to {}, time {}", number, tokens, to, ns / 1'000'000);
  }
  static std::string nothing(std::uint32_t number, node_id at, std::uint32_t dropped,
                             std::uint64_t ns) {
    return fmt::format("mig #{}: nothing moves from {}, time {} ({} such)", number, at,
                       ns / 1'000'000, dropped);
  }

 private:
  std::string name_of(terrane_slot_ref thread) {
    std::vector<terrane_slot_ref>& known = printed_[processor_of(thread)];
    auto place = std::find(known.begin(), known.end(), thread);
    if (place == known.end()) place = known.insert(place, thread);
    return fmt::format("{}-{:02}-{:03}", processor_of(thread), place - known.begin(),
                       thread / TERRANE_GENERATION_STEP);
  }

  std::map<processor_id, std::vector<terrane_slot_ref>> printed_;
};

}  // namespace terrane::balance
