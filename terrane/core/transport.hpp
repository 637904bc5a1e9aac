// SPDX-License-Identifier: Apache-2.0
// transport.hpp: the one seam between the model and the machine it runs on. A world fills it.
//
// Invariants  Nothing above transport/ and machine/ reaches past it for time, threads or waiting.
//             Messages of one processor to another arrive in order; none is lost or doubled.
//             Whoever makes something visible to a sleeping processor then wakes it.
#pragma once

#include <cstdint>
#include <span>

#include "terrane/core/balancer.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

class node;

class transport {
 public:
  virtual ~transport() = default;

  /// Nanoseconds since the run began, by the world's clock.
  virtual std::uint64_t now() = 0;

  /// Sends head and body, one after the other, to the processor `to`. Copies before it returns;
  /// never blocks.
  virtual void send(processor& from, processor_id to, entry kind, bytes_view head,
                    bytes_view body) = 0;
  /// Hands every message that has arrived for `here` to handle(). Called by its own thread.
  virtual void poll(processor& here) = 0;

  /// A balancer's note, with the sender's load on its back.
  virtual void post_note(node& from, node_id to, const note& what, int load) = 0;
  /// A token that changes nodes, with the sender's load on its back.
  virtual void post_token(node& from, node_id to, const terrane_token& token, int load) = 0;

  /// Any thread: ends the sleep of a processor, after what it shall see is visible. True if it
  /// slept.
  virtual bool wake(processor& sleeper) = 0;

  /// Runs every processor until each has been told to stop. Called once.
  virtual void run(std::span<processor* const> processors) = 0;
};

}  // namespace terrane
