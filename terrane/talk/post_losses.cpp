// SPDX-License-Identifier: Apache-2.0
// post_losses.cpp: what waits for threads of a node that is lost.
//
// Method      The world tells of a loss in rounds (core/losses.hpp). A node that was lost in one
//             round counts as lost from the next one on: its processor has taken meanwhile what had
//             been sent to it. Then all threads here that wait are woken, and each looks whether it
//             needs what is lost.
// Why         *Nothing is written later.* A transfer that gives up has left its list; its bytes, if
//             they were to be fetched, would have come from the lost node, in the round before.
//             *Nobody is missed.* Who begins to wait after the news looks first (is_plain_ is
//             false); who waited before is in the list of boxes.
#include <algorithm>
#include <optional>
#include <utility>

#include "terrane/core/node.hpp"
#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/peer_lost.hpp"
#include "terrane/talk/post_office.hpp"

namespace terrane {

void post_office::look_for_lost() {
  const processor& self = terrane::here();
  const losses& told = *self.world().losses;
  const std::size_t known = lost_.size();
  for (const node_id each : std::exchange(newly_lost_, {})) lost_.push_back(each);
  for (node_id node = 0; node < terrane_nodes(); ++node)
    if (told.is_lost(node * self.processors_per_node()) && !is_lost_node(node))
      newly_lost_.push_back(node);
  if (lost_.size() == known) return;
  is_plain_ = false;
  const auto wake = [](letter_box& one) {
    one.hears_of_loss = true;
    if (one.waits_until && one.waits_until->slot != 0)
      terrane_signal(std::exchange(one.waits_until->slot, 0));
  };
  for (letter_box* each = boxes_; each; each = each->next) wake(*each);
  for (auto& [who, its] : movers_) wake(*its);
}

bool post_office::is_lost_node(node_id which) const {
  return std::find(lost_.begin(), lost_.end(), which) != lost_.end();
}

std::optional<node_id> post_office::lost_place_of(terrane_slot_ref who) {
  const node_id node = terrane_node_of(last_known(who).at);
  return is_lost_node(node) ? std::optional(node) : std::nullopt;
}

/// The node that this transfer waits for in vain.
std::optional<node_id> post_office::lost_for(const letter_box& mine, const transfer& one) {
  if (one.is_done || lost_.empty()) return {};
  const auto among = [&](const std::vector<terrane_slot_ref>& all) -> std::optional<node_id> {
    for (const terrane_slot_ref each : all)
      if (const auto node = lost_place_of(each)) return node;
    return {};
  };
  if (one.is_fetching) {
    const node_id node = terrane_node_of(one.fetched_from);
    return is_lost_node(node) ? std::optional(node) : std::nullopt;
  }
  if (one.what == transfer::collects) {
    const node_id at = terrane_node_of(processor_of(rope_of(one)));
    if (is_lost_node(at)) return at;
    return among(ropes_.known_members(rope_of(one)));
  }
  if (!one.takes_any_source()) return lost_place_of(one.peer);
  if (mine.losses_heard >= lost_.size()) return {};
  return one.context == 0 ? std::optional(lost_.back()) : among(ropes_.known_members(rope_of(one)));
}

void post_office::throw_if_lost(letter_box& mine, transfer& one) {
  const auto node = lost_for(mine, one);
  if (!node) return;
  if (one.in) letter_box::withdraw(one);
  if (one.what == transfer::collects) ropes_.withdraw(one);
  if (one.what == transfer::sends || one.what == transfer::collects || one.is_fetching)
    --mine.heap->transfers;
  one.is_fetching = false;
  one.is_done = true;  // nothing will come for it
  if (one.what != transfer::collects && one.takes_any_source()) mine.losses_heard = lost_.size();
  const bool any = one.what == transfer::collects || one.takes_any_source();
  throw peer_lost(
      {any ? 0 : one.peer}, *node,
      describe(one, mine.owner, ropes_) + ": node " + std::to_string(*node) + " is lost");
}

}  // namespace terrane
