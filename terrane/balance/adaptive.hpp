// SPDX-License-Identifier: Apache-2.0
// adaptive.hpp: each node asks and gives by one of two policies, rand and his, and changes over
// when it waited too long for tokens and the other one may do better.
//
// Transfer, selection, location   those of the policy in force. Notes of either are answered.
// Information  how long this node waited for a token, from idle to arrival, under each policy.
// Change       after `spells` waits in a row: to a policy that was not tried yet, if waiting took
//              more than a third of the time; to one that was tried, if its waits were shorter by a
//              quarter. The decision event names the mean waits that it compared. Begins with rand.
// Parameters   spells: waits under a policy before it is judged. Default 16.
// Source       000_bc3addaab27f37f8.txt section 7: "A logical next step ... is the design of
//              adaptive load balancers; these balancers change balancer policy dynamically at
//              runtime".
#pragma once

#include <array>
#include <optional>

#include "terrane/balance/his.hpp"
#include "terrane/balance/rand.hpp"
#include "terrane/balance/tagged_view.hpp"

namespace terrane::balance {

struct adaptive_options {
  int spells = 16;
};

class adaptive final : public balancer {
 public:
  explicit adaptive(const adaptive_options& options = {}) : options_(options) {}

  void on_start(node_view& node) override {
    for (std::uint32_t i = 0; i < views_.size(); ++i) {
      views_[i].emplace(node, i);
      policies_[i]->on_start(*views_[i]);
    }
    views_[0]->take_over();
    judged_since_ = node.now();
  }

  void on_idle(node_view& node) override {
    if (node.load() == 0 && !idle_since_) idle_since_ = node.now();
    policies_[force_]->on_idle(*views_[force_]);
  }
  void on_surplus(node_view&) override { policies_[force_]->on_surplus(*views_[force_]); }
  void on_tick(node_view&) override { policies_[force_]->on_tick(*views_[force_]); }

  void on_note(node_view&, node_id from, const note& what) override {
    const std::uint32_t which = tagged_view::number_of(what);
    policies_[which]->on_note(*views_[which], from, tagged_view::untagged(what));
  }

  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    for (std::uint32_t i = 0; i < views_.size(); ++i)
      policies_[i]->on_token(*views_[i], from, hint);
    if (!idle_since_) return;
    waited_ns_ += node.now() - *idle_since_;
    idle_since_.reset();
    if (++spells_ == options_.spells) judge(node);
  }

 private:
  void judge(node_view& node) {
    const std::uint32_t other = 1 - force_;
    const std::uint64_t whole_ns = node.now() - judged_since_;
    const std::uint64_t mean_ns = waited_ns_ / static_cast<std::uint64_t>(spells_);
    mean_ns_[force_] = mean_ns;
    const bool untried = !mean_ns_[other] && waited_ns_ * 3 > whole_ns;
    const bool better = mean_ns_[other] && *mean_ns_[other] * 5 < mean_ns * 4;
    if (untried || better) {
      node.log({untried ? "adaptive tries the other policy: waits take a third of the time"
                        : "adaptive goes back: waits were shorter under the other policy",
                other, static_cast<std::int64_t>(mean_ns),
                static_cast<std::int64_t>(mean_ns_[other].value_or(whole_ns))});
      views_[force_]->retire();
      views_[force_ = other]->take_over();
    }
    judged_since_ = node.now();
    waited_ns_ = 0;
    spells_ = 0;
  }

  const adaptive_options options_;
  rand rand_{{.rest = true}};
  his his_;
  std::array<balancer*, 2> policies_{&rand_, &his_};
  std::array<std::optional<tagged_view>, 2> views_;
  std::uint32_t force_ = 0;  // the policy in force
  std::optional<std::uint64_t> idle_since_;
  std::uint64_t waited_ns_ = 0, judged_since_ = 0;
  int spells_ = 0;
  std::array<std::optional<std::uint64_t>, 2> mean_ns_;  // of the waits, as last judged
};

}  // namespace terrane::balance
