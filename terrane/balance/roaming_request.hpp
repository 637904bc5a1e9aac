// SPDX-License-Identifier: Apache-2.0
// roaming_request.hpp: the base of balancers whose requests wait where work may arise. A request of
// an idle node visits some random nodes and is parked at the last of them for a while. Then it
// visits others, and is parked twice as long each time, until a node serves it.
//
// Invariants  A node waits for one request at most. If a token comes for another reason, the
//             request roams on and brings one token more. What a request says of its sender's last
//             token holds until it was parked once.
#pragma once

#include <algorithm>

#include "terrane/balance/waiting_nodes.hpp"
#include "terrane/core/balancer.hpp"

namespace terrane::balance {

struct roaming_options {
  int patience_us = 100;  // that a request is parked at first
  int hops = 4;           // nodes that it visits before
};

class roaming_request : public balancer {
 public:
  explicit roaming_request(const roaming_options& options)
      : options_(options), patience_us_(static_cast<unsigned>(options.patience_us)) {}

  void on_start(node_view& node) override { others_ = waiting_nodes(node.nodes()); }

  void on_note(node_view& node, node_id, const note& what) override {
    const node_id asker = what.about;
    if (asker == node.me()) {
      asked_ = false;  // on_idle comes again
      return;
    }
    const std::uint32_t said = what.kind & ~stays;
    const auto us = static_cast<std::uint64_t>(what.value) >> 8;
    others_.set_poor(asker, true);
    heard(node, said, us);
    const bool served = node.load() > kept() && give(node, asker);
    if (!served && hops_left(what) > 0) {
      node.tell(node.random_other(), {what.kind, asker, what.value - 1});
    } else if (!served) {
      const std::uint64_t patience_us = said == asks ? us : patience_us_;
      const std::uint64_t stay_us = patience_us + ((what.kind & stays) != 0 ? stay * us : 0);
      others_.park(asker, node.now() + 1000 * stay_us, patience_us);
    }
    set_marks(node);
  }

  void on_tick(node_view& node) override {
    others_.take_due(node.now(), [&](node_id asker, std::uint64_t patience_us) {
      const std::uint64_t longer_us = std::min(2 * patience_us, patience_growth * patience_us_);
      node.tell(node.random_other(), {asks, asker, value_of(longer_us, options_.hops)});
    });
    set_marks(node);
  }

 protected:
  /// What a request says of its sender's last token: nothing, it made others, it made none. stays:
  /// the request is parked at the first node, longer by `stay` times that token's work.
  enum kind : std::uint32_t { asks = 1, made_tokens, made_none, stays = 8 };

  /// Transfer policy: tokens that a node keeps when it is asked.
  virtual int kept() const = 0;
  /// Information policy: a request has come. us: the work on the token that it tells of.
  virtual void heard(node_view& node, std::uint32_t said, std::uint64_t us) = 0;

  virtual void set_marks(node_view& node) {
    if (ticks_ == others_.any_parked()) return;
    ticks_ = !ticks_;
    node.every(ticks_ ? 500 * patience_us_ : 0);
  }

  void ask(node_view& node, node_id to, std::uint32_t what, std::uint64_t us, bool roams) {
    asked_ = true;
    if ((what & ~stays) == asks) us = patience_us_;
    node.tell(to, {what, node.me(), value_of(us, roams ? options_.hops : 0)});
  }

  bool give(node_view& node, node_id to) {
    if (node.give_oldest(to, 1) == 0) return false;
    others_.served(to);
    return true;
  }

  bool asked_ = false;
  waiting_nodes others_;

 private:
  static constexpr std::uint64_t patience_growth = 8, stay = 20, us_most = std::uint64_t{1} << 40;

  static std::int64_t hops_left(const note& what) { return what.value & 255; }
  static std::int64_t value_of(std::uint64_t us, int hops) {
    return static_cast<std::int64_t>(std::min(us, us_most) << 8) | std::clamp(hops, 0, 255);
  }

  const roaming_options options_;
  const std::uint64_t patience_us_;
  bool ticks_ = false;
};

}  // namespace terrane::balance
