// SPDX-License-Identifier: Apache-2.0
// neighbours.hpp: what nodes can do for one another without a message, because they share memory or
// the addresses of their stacks. A world without such means has no neighbours object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "terrane/core/balancer.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

class neighbours {
 public:
  // --- where things lie, so that other nodes find them ---

  /// The memory for that processor and its frames: TERRANE_ARENA_BYTES at a multiple of that size,
  /// zeroed. Null: the caller chooses.
  virtual void* arena(processor_id) { return nullptr; }
  /// The memory for that node's token_window. Null: the caller chooses.
  virtual void* window(node_id) { return nullptr; }

  // --- balancing ---

  /// The load of another node now. Nothing if it cannot be seen.
  virtual std::optional<int> look(node_id) { return {}; }
  /// Takes the oldest token that another node offers, to be put into this node's pool. False: there
  /// was none.
  virtual bool take_oldest(processor* /*mover*/, node_id, terrane_token&) { return false; }

  // --- large data ---

  /// Copies from the memory of `owner` to ours without its help. False if that cannot be done, for
  /// this number of bytes or at all: then the caller asks the owner to send them in a message.
  virtual bool fetch(processor_id /*owner*/, const void* /*from*/, void* /*to*/,
                     std::size_t /*bytes*/) {
    return false;
  }
  /// The least number of bytes for which fetch() is better than a message.
  virtual std::size_t fetch_bytes_min() const { return ~std::size_t{0}; }

  // --- memory that threads give one another ---

  /// A block that every node sees at its address, a multiple of 64. Null: there is none, or none is
  /// left.
  virtual void* take_block(processor& /*by*/, std::size_t /*bytes*/) { return nullptr; }
  /// On any node. False: take_block() did not make it.
  virtual bool give_back_block(void*) { return false; }
  /// True if every node sees that memory at its address, whoever made it.
  virtual bool is_seen_by_all(const void*) const { return false; }

  // --- threads that move ---

  /// Memory for the stacks of those threads of a processor that may move. Every node reserves these
  /// addresses. Empty: all nodes are in this process, where any address is valid for all of them.
  virtual std::span<char> moving_stacks(processor_id) { return {}; }
  /// True if every node sees the contents of these stacks: then a thread moves to another node as
  /// nothing but its address.
  virtual bool stacks_are_shared() const { return false; }
  /// The reason why threads cannot move to other nodes. Null: they can.
  virtual const char* why_threads_stay() const { return nullptr; }

 protected:
  ~neighbours() = default;
};

}  // namespace terrane
