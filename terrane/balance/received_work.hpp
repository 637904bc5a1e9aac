// SPDX-License-Identifier: Apache-2.0
// received_work.hpp: estimates how long tokens from other nodes keep a node busy, from the times at
// which the balancer is told that the node is idle.
//
// Invariants  An idle node is told so at intervals that at most double (processor::while_idle). So
//             a longer silence was work. A token that asked for data counts as waiting until then,
//             for one second at most.
#pragma once

#include <cstdint>

#include "terrane/core/place.hpp"

namespace terrane::balance {

class received_work {
 public:
  /// Work shorter than this is not seen.
  explicit received_work(std::uint64_t least_ns) : least_ns_(least_ns) {}

  void came(std::uint64_t now, node_id from) {
    if (from != giver_) barren_in_a_row_ = 0;
    giver_ = from;
    ++waiting_;
    fertile_ = false;
    ever_came_ = true;
    came_ = told_ = now;
    interval_ = 0;
  }
  /// The last token made others.
  void made_tokens() { fertile_ = true; }

  void idle(std::uint64_t now, bool waits_for_data) {
    const std::uint64_t interval = now - told_;
    const bool worked = interval > 2 * interval_ + least_ns_;
    told_ = now;
    interval_ = interval;
    if (waiting_ == 0 || (waits_for_data && !fertile_ && !worked)) return;
    waiting_ = 0;
    known_ = true;
    barren_in_a_row_ = fertile_ ? 0 : barren_in_a_row_ + 1;
    if (!fertile_) ns_ = interval;
  }

  bool ever_came() const { return ever_came_; }
  bool known() const { return known_; }
  bool fertile() const { return fertile_; }
  /// Work on the last token that made no others.
  std::uint64_t us() const { return ns_ / 1000; }
  int barren_in_a_row() const { return barren_in_a_row_; }  // of one giver
  node_id giver() const { return giver_; }
  /// In an idle node: tokens in a row that wait for data.
  int waiting(std::uint64_t now) const { return now < came_ + data_comes_within_ns ? waiting_ : 0; }

 private:
  static constexpr std::uint64_t data_comes_within_ns = 1'000'000'000;

  const std::uint64_t least_ns_;
  bool ever_came_ = false, fertile_ = true, known_ = false;
  node_id giver_ = 0;
  int barren_in_a_row_ = 0, waiting_ = 0;  // until they are known to have ended or worked
  std::uint64_t came_ = 0, told_ = 0, interval_ = 0, ns_ = 0;
};

}  // namespace terrane::balance
