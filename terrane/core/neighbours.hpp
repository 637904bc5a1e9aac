// SPDX-License-Identifier: Apache-2.0
// neighbours.hpp: what nodes can do for one another without a message, because they share memory or
// the addresses of their stacks. A world that offers nothing of it has none.
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
  // --- where things lie, so that others find them ---

  /// Where that processor and its frames are to lie: TERRANE_ARENA_BYTES at a multiple of that,
  /// zeroed. Null: anywhere.
  virtual void* arena(processor_id) { return nullptr; }
  /// Where that node's token_window is to lie; null: anywhere.
  virtual void* window(node_id) { return nullptr; }

  // --- balancing ---

  /// The load of another node now. Nothing where that cannot be seen.
  virtual std::optional<int> look(node_id) { return {}; }
  /// Takes the oldest token that another node offers, on its way to a pool of this one.
  virtual bool take_oldest(processor* /*mover*/, node_id, terrane_token&) { return false; }

  // --- large data ---

  /// Copies from the memory of `owner` to ours without its help. False where that cannot be done,
  /// for so few bytes or at all: it is to be asked for a message with them.
  virtual bool fetch(processor_id /*owner*/, const void* /*from*/, void* /*to*/,
                     std::size_t /*bytes*/) {
    return false;
  }
  /// From how many bytes on fetch() is better than a message.
  virtual std::size_t fetch_bytes_min() const { return ~std::size_t{0}; }

  // --- threads that move ---

  /// Memory for the stacks of a processor's threads that may move, which every node has at these
  /// addresses. Empty: all nodes are in this process, and have any.
  virtual std::span<char> moving_stacks(processor_id) { return {}; }
  /// Every node sees what lies on them: a thread goes to another node as its address alone.
  virtual bool stacks_are_shared() const { return false; }
  /// Why threads cannot move to other nodes; null: they can.
  virtual const char* why_threads_stay() const { return nullptr; }

 protected:
  ~neighbours() = default;
};

}  // namespace terrane
