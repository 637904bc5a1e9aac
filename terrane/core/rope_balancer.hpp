// SPDX-License-Identifier: Apache-2.0
// rope_balancer.hpp: who says where the members of a rope are to run (talk/rope.hpp: balance()).
//
// Purpose     All members call balance(). What each has done since the last call comes together at
//             the rope's home; there a policy says which processor each is to run on, and the
//             members go there by themselves.
// Invariants  A policy sees a rope_view and nothing else, so it is the same in every world. It must
//             not block. What it says of members that may not move is ignored.
// Source      [CHANT §2.1] (ropes).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "terrane/core/place.hpp"

namespace terrane {

/// Bytes to another member.
struct rope_talk {
  std::uint32_t rank;
  std::uint64_t bytes;
};

/// A member since the last call.
struct rope_member {
  processor_id at;
  bool may_move;
  std::uint64_t ran_ns;              // declared work under `sim`, measured elsewhere; no waiting
  std::uint64_t bytes;               // that a move to another node carries
  std::span<const rope_talk> talks;  // to the members to which it sent most; inside a node, too
};

struct rope_view {
  std::span<const rope_member> members;  // by rank
  std::uint32_t processors, processors_per_node;

  std::uint32_t node_of(processor_id which) const { return which / processors_per_node; }
};

class rope_balancer {
 public:
  virtual ~rope_balancer() = default;
  /// at: where each member is, by rank; where it is to be, when this returns.
  virtual void place(const rope_view& now, std::span<processor_id> at) = 0;
};

/// Makes one for each processor on which ropes have their homes. Empty: members stay.
using rope_balancer_factory = std::function<std::unique_ptr<rope_balancer>()>;

}  // namespace terrane
