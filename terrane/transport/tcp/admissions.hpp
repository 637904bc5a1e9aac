// SPDX-License-Identifier: Apache-2.0
// admissions.hpp: which nodes are connected to this one, and who may still come.
//
// Purpose     One node has one connection with each other node, however often and from whichever
//             side it is tried.
// Crossing    Two nodes may call each other at the same moment. Then the call of the lower number
//             is the connection: the node with the lower number refuses the other's call as
//             `crossed`, and the node with the higher number accepts, and gives its own call up.
//             Both decide from the two numbers alone, so they agree.
// Threads     One at a time.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "terrane/base/keyed_hash.hpp"
#include "terrane/core/place.hpp"
#include "terrane/transport/tcp/refusal.hpp"

namespace terrane {

/// The number of the launcher among the nodes of a run.
inline constexpr node_id launcher_node = 0xffffffff;

class admissions {
 public:
  /// nodes: of the run; the launcher comes on top.
  admissions(node_id self, node_id nodes) : self_(self), peers_(nodes + std::size_t{1}) {}

  node_id self() const { return self_; }
  bool is_of_run(node_id peer) const { return peer == launcher_node || peer + 1 < peers_.size(); }

  /// Before this node calls `peer`. False if there is a connection or a call already.
  bool begin_call(node_id peer);
  /// The call came to nothing. `peer` may call, or be called again.
  void end_call(node_id peer);

  /// What to do with a caller that has proved to be `peer`: `none` (it is connected now),
  /// `second_claim` or `crossed`.
  refusal admit(node_id peer);
  /// What to do with our call of `peer`, which has accepted it. As `admit`.
  refusal called(node_id peer);

  bool is_connected(node_id peer) const { return at(peer).connected; }

  /// Whether a hello with this nonce came before; remembers it if not. Only of callers that proved
  /// who they are are they remembered, so that strangers cannot fill the memory.
  bool was_used(const hash_bytes& nonce) const { return used_.contains(nonce); }
  void use(const hash_bytes& nonce) { used_.insert(nonce); }

  refusal_counts& refused() { return refused_; }
  const refusal_counts& refused() const { return refused_; }

 private:
  struct peer_state {
    bool called = false;     // by us, and it has not come to nothing
    bool crossed = false;    // its call was refused for ours
    bool connected = false;  // stays true when the connection ends: a node does not come again
  };
  std::size_t index_of(node_id peer) const {
    return peer == launcher_node ? peers_.size() - 1 : peer;
  }
  peer_state& at(node_id peer) { return peers_[index_of(peer)]; }
  const peer_state& at(node_id peer) const { return peers_[index_of(peer)]; }

  const node_id self_;
  std::vector<peer_state> peers_;  // the launcher is the last
  std::set<hash_bytes> used_;
  refusal_counts refused_;
};

}  // namespace terrane
