// SPDX-License-Identifier: Apache-2.0
// received_work.hpp: how long what other nodes gave keeps a node busy, by what a balancer hears.
//
// Invariants  An idle node is told so at intervals that at most double (processor::while_idle), so
//             that a longer silence than that was work. A token that ends its work at once either
//             is that small or waits for data: it is thin, until such a silence follows. That it
//             waits is the likelier, the longer those before it worked.
#pragma once

#include <algorithm>
#include <cstdint>

#include "terrane/core/place.hpp"

namespace terrane::balance {

class received_work {
 public:
  /// Work of less than so many nanoseconds is thin.
  explicit received_work(std::uint64_t least_ns) : least_ns_(least_ns) {}

  void came(std::uint64_t now, node_id from) {
    if (from != giver_) barren_in_a_row_ = 0;
    giver_ = from;
    began_ = ever_came_ = true;
    fertile_ = false;
    told_ = now;
    interval_ = 0;
  }
  /// What came made tokens.
  void made_tokens() { fertile_ = true; }

  void idle(std::uint64_t now) {
    const std::uint64_t interval = now - told_;
    const bool worked = interval > 2 * interval_ + least_ns_;
    told_ = now;
    interval_ = interval;
    if (!worked && !began_) return;
    if (began_) barren_in_a_row_ = fertile_ ? 0 : barren_in_a_row_ + 1;
    began_ = false;
    ended_ = now;
    ns_ = interval;
    thin_ = fertile_ || ns_ >= least_ns_ ? 0 : std::min(thin_ + 1, thin_for_good);
    if (thin_ == 0 && !fertile_) worked_ns_ = ns_;
    known_ = thin_ == 0 || thin_ == thin_for_good;
  }

  bool ever_came() const { return ever_came_; }
  bool known() const { return known_; }  // a thin token or two may wait for data yet
  bool fertile() const { return fertile_; }
  std::uint64_t us() const { return ns_ / 1000; }
  int barren_in_a_row() const { return barren_in_a_row_; }  // of one giver
  node_id giver() const { return giver_; }
  /// True while data is likely to be on its way: the longer, the more thin tokens there were, and
  /// the longer the last one worked that was not.
  bool may_wait_for_data(std::uint64_t now) const {
    if (thin_ == 0) return false;
    return now <
           ended_ + std::max(worked_ns_ / 4, least_ns_ << thin_growth * std::max(thin_ - 1, 1));
  }

 private:
  static constexpr int thin_for_good = 3, thin_growth = 3;

  const std::uint64_t least_ns_;
  bool began_ = false, ever_came_ = false, fertile_ = true, known_ = false;
  node_id giver_ = 0;
  int barren_in_a_row_ = 0, thin_ = 0;
  std::uint64_t worked_ns_ = 0, told_ = 0, interval_ = 0, ended_ = 0, ns_ = 0;
};

}  // namespace terrane::balance
