// SPDX-License-Identifier: Apache-2.0
// adaptive.hpp: each node balances in one of two ways, and changes over by what it meets: by snd
// and his while others are likely to be poor, by rand while all are rich.
//
// Transfer, selection, location   those of the way in force: "poor" pushes what is too much round
//              the ring, as snd, and asks as his; "rich" is rand with rest. Notes of any policy
//              are answered.
// Information  what comes home, and how long this node waited for work.
// Change       to "rich" when a token of ours came home round the ring: nobody wanted it. To "poor"
//              when this node has surplus after it waited more than a `share`th of the time: so do
//              others. The decision event says which. Begins with "poor".
// Parameters   share: a node that waited more than 1/share of the time expects others to be poor.
//              Default 3. patience: us that an idle node waits, while it expects others to be poor,
//              for what they push, before it asks. Default 1000.
// Source       000_bc3addaab27f37f8.txt section 7: "A logical next step ... is the design of
//              adaptive load balancers; these balancers change balancer policy dynamically at
//              runtime".
#pragma once

#include <array>
#include <optional>

#include "terrane/balance/his.hpp"
#include "terrane/balance/rand.hpp"
#include "terrane/balance/snd.hpp"
#include "terrane/balance/tagged_view.hpp"

namespace terrane::balance {

struct adaptive_options {
  int share = 3;
  int patience_us = 1000;
};

class adaptive final : public balancer {
 public:
  explicit adaptive(const adaptive_options& options = {})
      : options_(options), patience_ns_(1000ull * static_cast<unsigned>(options.patience_us)) {}

  void on_start(node_view& node) override {
    for (std::uint32_t i = 0; i < views_.size(); ++i) {
      views_[i].emplace(node, i);
      policies_[i]->on_start(*views_[i]);
    }
    views_[sends]->take_over();
    counted_since_ = node.now();
  }

  void on_idle(node_view& node) override {
    if (node.load() > 0) return;
    if (!idle_since_) idle_since_ = node.now();
    snd_.on_idle(*views_[sends]);
    if (!rich_ && node.now() - *idle_since_ < patience_ns_) return;
    const policy receiver = rich_ ? draws : remembers;
    policies_[receiver]->on_idle(*views_[receiver]);
  }

  void on_surplus(node_view& node) override {
    end_wait(node);
    const std::uint64_t whole_ns = node.now() - counted_since_;
    if (rich_ && waited_ns_ * static_cast<unsigned>(options_.share) > whole_ns)
      change_to(node, false, static_cast<std::int64_t>(waited_ns_));
    const policy sender = rich_ ? draws : sends;
    policies_[sender]->on_surplus(*views_[sender]);
  }

  void on_tick(node_view&) override {
    if (!rich_) snd_.on_tick(*views_[sends]);
  }

  void on_note(node_view&, node_id from, const note& what) override {
    const std::uint32_t which = tagged_view::number_of(what);
    policies_[which]->on_note(*views_[which], from, tagged_view::untagged(what));
  }

  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    end_wait(node);
    his_.on_token(*views_[remembers], from, hint);
    if (from == node.left()) snd_.on_token(*views_[sends], from, hint);
    if (!rich_ && hint.origin == node.me()) change_to(node, true, node.load());
  }

 private:
  enum policy : std::uint32_t { sends, remembers, draws };

  void end_wait(node_view& node) {
    if (!idle_since_) return;
    waited_ns_ += node.now() - *idle_since_;
    idle_since_.reset();
  }

  void change_to(node_view& node, bool rich, std::int64_t why) {
    node.log({rich ? "adaptive finds all rich: a token of its own came home"
                   : "adaptive expects others to be poor: it waited for long itself",
              why, static_cast<std::int64_t>(node.now() - counted_since_), 0});
    views_[rich_ ? draws : sends]->retire();
    rich_ = rich;
    views_[rich_ ? draws : sends]->take_over();
    counted_since_ = node.now();
    waited_ns_ = 0;
  }

  const adaptive_options options_;
  const std::uint64_t patience_ns_;
  snd snd_;
  his his_;
  rand rand_{{.rest = true}};
  std::array<balancer*, 3> policies_{&snd_, &his_, &rand_};
  std::array<std::optional<tagged_view>, 3> views_;
  bool rich_ = false;
  std::optional<std::uint64_t> idle_since_;
  std::uint64_t waited_ns_ = 0, counted_since_ = 0;
};

}  // namespace terrane::balance
