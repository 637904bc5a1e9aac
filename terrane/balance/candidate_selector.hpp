// SPDX-License-Identifier: Apache-2.0
// candidate_selector.hpp: which of the ready threads of a node moves.
//
// Source      [TESTBED Fig. 40], as printed: for a link the first thread whose last communication
//             used it, else one whose last communication was not local, else the last of all.
#pragma once

#include <optional>
#include <span>

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

/// link: the other end of the overloaded link; nothing: the processor is overloaded. Null: no
/// thread may move.
inline const ready_thread* select_candidate(std::span<const ready_thread> all,
                                            std::optional<node_id> link) {
  const ready_thread* best = nullptr;
  for (const ready_thread& each : all) {
    if (!each.may_move) continue;
    if (!link || each.last_peer == link) return &each;
    if (!best || !best->last_peer) best = &each;
  }
  return best;
}

}  // namespace terrane::balance
