// SPDX-License-Identifier: Apache-2.0
// received_work.hpp: how long what other nodes gave keeps a node busy, by what a balancer hears.
//
// Invariants  An idle node is told so at intervals that at most double (processor::while_idle), so
//             that a longer silence than that was work. Until then a token that asked for data
//             waits for it; not for longer than a second, which is something else.
#pragma once

#include <cstdint>

#include "terrane/core/place.hpp"

namespace terrane::balance {

class received_work {
 public:
  /// Less than so many nanoseconds of it do not show.
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
  /// What came made tokens.
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
  /// Of the last that made no tokens.
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
  int barren_in_a_row_ = 0, waiting_ = 0;  // until it is known that they ended, or worked
  std::uint64_t came_ = 0, told_ = 0, interval_ = 0, ns_ = 0;
};

}  // namespace terrane::balance
