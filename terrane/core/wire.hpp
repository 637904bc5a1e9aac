// SPDX-License-Identifier: Apache-2.0
// wire.hpp: how messages, notes and tokens reach other processors and nodes. Every world has one.
//
// Invariants  Messages from one processor to another arrive in order; none is lost or duplicated.
//             A token counts as on a wire from its first put into a pool until a processor takes it
//             out.
#pragma once

#include <cstddef>

#include "terrane/core/balancer.hpp"
#include "terrane/core/memory_range.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

class node;

class wire {
 public:
  /// Sends head and body, one after the other, to the processor `to`. Copies both before it
  /// returns, and never blocks.
  virtual void send(processor& from, processor_id to, entry kind, bytes_view head,
                    bytes_view body) = 0;
  /// Passes every message that has arrived for `here` to handle(). Called by the thread of `here`.
  virtual void poll(processor& here) = 0;

  /// Sends a balancer's note together with the sender's load. mover: the processor that this thread
  /// runs, of any node; null in a thread that runs none, which can only be one of the world's own.
  virtual void post_note(processor* mover, node& from, node_id to, const note& what, int load) = 0;
  /// Sends a token to another node; it is on a wire until it lies in a pool.
  virtual void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                          const load_hint& hint) = 0;

  /// The range of this process's memory around those bytes, which a message for `here` asks to
  /// write or read. An empty range if they are not all its own. Worlds of one process trust their
  /// messages.
  virtual memory_range owned(processor& /*here*/, const void*, std::size_t /*bytes*/,
                             bool /*to_write*/) {
    return all_memory;
  }

 protected:
  ~wire() = default;
};

}  // namespace terrane
