// SPDX-License-Identifier: Apache-2.0
// adaptive.hpp: idle nodes ask, and their requests wait where work may arise; while tokens are long
// and make no others, nodes also give without being asked.
//
// Transfer     An idle node asks once, unless its last token waits for data; after short work
//              (below `coarse`), unless its last three tokens do. A node that is asked keeps one
//              token and gives the others; while tokens are long, the node that makes them gives
//              the last one, too. A node with surplus gives all of it.
// Selection    the oldest token.
// Location     A request roams (roaming_request.hpp). A node whose last two tokens came from one
//              node and made no others asks that node, and its request stays parked there. A node
//              with surplus serves the parked requests in the order of the ring, so that the same
//              work goes to the same node again; while tokens are long, it also serves nodes that
//              it remembers as poor. A token that reaches a node that did not ask, or that waits
//              for data, goes on round the ring.
// Information  A request says how long its sender worked on its last token and whether that made
//              others. At the start node 0, where programs begin, takes all others for poor, and
//              they ask it.
// Change       Tokens count as long while the mean of what requests said is at least `coarse`. The
//              newest value counts half; a token that made others lowers the mean by a quarter.
//              Giving unasked stops when a token comes home because nobody took it, until somebody
//              asks again. Decision events report each change with the mean.
// Parameters   patience: us that a request is parked at first. Default 100. hops: random nodes that
//              it visits before that. Default 4. coarse: us. Default 2000.
// Source       [EARTH-LB §7] proposes balancers that change their policy while they run.
#pragma once

#include "terrane/balance/received_work.hpp"
#include "terrane/balance/roaming_request.hpp"

namespace terrane::balance {

struct adaptive_options {
  roaming_options requests;
  int coarse_us = 2000;
};

class adaptive final : public roaming_request {
 public:
  explicit adaptive(const adaptive_options& options = {})
      : roaming_request(options.requests),
        coarse_us_(static_cast<unsigned>(options.coarse_us)),
        work_(1000ull * static_cast<unsigned>(options.requests.patience_us)) {}

  void on_start(node_view& node) override {
    roaming_request::on_start(node);
    if (node.nodes() == 1) return;
    node.set_enough(3);  // with fewer it would never be rich
    for (node_id i = 1; node.me() == 0 && i < node.nodes(); ++i) others_.set_poor(i, true);
    set_marks(node);
  }

  void on_idle(node_view& node) override {
    work_.idle(node.now(), node.waits_for_data());
    const int may_wait = work_.known() && work_.us() < coarse_us_ ? 3 : 1;
    if (node.load() > 0 || asked_ || work_.waiting(node.now()) >= may_wait) return;
    const bool to_giver = work_.barren_in_a_row() >= tie;
    const bool roams = !to_giver && work_.ever_came();
    node_id to = roams ? node.random_other() : work_.giver();
    if (to == node.me()) to = node.random_other();
    const std::uint32_t what = !work_.known() ? asks : work_.fertile() ? made_tokens : made_none;
    ask(node, to, to_giver ? what | stays : what, work_.us(), roams);
    set_marks(node);
  }

  void on_surplus(node_view& node) override {
    work_.made_tokens();
    for (node_id i = 1; i < node.nodes() && node.load() > 0; ++i) {
      const node_id other = (node.me() + i) % node.nodes();
      const bool wants = others_.parked(other) || (gives_unasked() && others_.poor(other));
      if (wants && !give(node, other)) break;
    }
    set_marks(node);
  }

  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    others_.set_poor(from, false);
    const bool handed_on = from != hint.origin;
    if (asked_ && !(handed_on && work_.waiting(node.now()) > 0)) {
      work_.came(node.now(), hint.origin);
      asked_ = false;
    } else if (hint.origin == node.me()) {
      node.log({"adaptive rests: a token of its own came home", from, node.load(), 0});
      rests_ = true;
    } else {
      node.pass_oldest(node.right(), hint.origin);
      return;
    }
    set_marks(node);
  }

 private:
  static constexpr int tie = 2;  // tokens of one giver

  bool gives_unasked() const { return is_long_ && !rests_; }
  int kept() const override { return is_long_ && work_.fertile() ? 0 : 1; }

  void heard(node_view& node, std::uint32_t said, std::uint64_t us) override {
    rests_ = false;
    if (said == made_none) mean_us_ = (mean_us_ + us) / 2;
    if (said == made_tokens) mean_us_ -= mean_us_ / 4;
    if (is_long_ == (mean_us_ >= coarse_us_)) return;
    is_long_ = !is_long_;
    node.log({is_long_ ? "adaptive gives unasked: tokens are long and make none"
                       : "adaptive gives who asks: tokens are short, or make others",
              node.me(), static_cast<std::int64_t>(mean_us_),
              static_cast<std::int64_t>(coarse_us_)});
  }

  /// Asks to hear of surplus while a node would get it, or to learn whether a token makes others.
  void set_marks(node_view& node) override {
    roaming_request::set_marks(node);
    const bool wanted = others_.any_parked() || (gives_unasked() && others_.any_poor());
    node.set_surplus(wanted || !work_.fertile() ? 0 : -1);
  }

  const std::uint64_t coarse_us_;
  received_work work_;
  std::uint64_t mean_us_ = coarse_us_;  // of what requests said; newer ones count more
  bool is_long_ = true, rests_ = false;
};

}  // namespace terrane::balance
