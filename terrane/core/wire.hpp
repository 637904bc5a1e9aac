// SPDX-License-Identifier: Apache-2.0
// wire.hpp: how messages, notes and tokens reach other processors and nodes. Every world has one.
//
// Invariants  Messages of one processor to another arrive in order; none is lost or doubled.
//             A token is on a wire from its first put into a pool until a processor takes it out.
#pragma once

#include <cstddef>

#include "terrane/core/balancer.hpp"
#include "terrane/core/memory_range.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

class node;

class wire {
 public:
  /// Sends head and body, one after the other, to the processor `to`. Copies before it returns;
  /// never blocks.
  virtual void send(processor& from, processor_id to, entry kind, bytes_view head,
                    bytes_view body) = 0;
  /// Hands every message that has arrived for `here` to handle(). Called by its own thread.
  virtual void poll(processor& here) = 0;

  /// A balancer's note, with the sender's load on its back. mover: the processor this thread runs,
  /// of any node; null in a thread that is none, which can be one of the world's own only.
  virtual void post_note(processor* mover, node& from, node_id to, const note& what, int load) = 0;
  /// A token that changes nodes; it is on a wire until it lies in a pool.
  virtual void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                          const load_hint& hint) = 0;

  /// What this process has around those bytes, which a message for `here` asks to write or to read;
  /// nothing, if they are not all its own. Worlds of one process trust their messages.
  virtual memory_range owned(processor& /*here*/, const void*, std::size_t /*bytes*/,
                             bool /*to_write*/) {
    return all_memory;
  }

 protected:
  ~wire() = default;
};

}  // namespace terrane
