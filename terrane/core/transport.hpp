// SPDX-License-Identifier: Apache-2.0
// transport.hpp: the one seam between the model and the machine it runs on. A world fills it.
//
// Invariants  Nothing above transport/ and machine/ reaches past it for time, threads or waiting.
//             Messages of one processor to another arrive in order; none is lost or doubled.
//             Whoever makes something visible to a sleeping processor then wakes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "terrane/base/rare.hpp"
#include "terrane/core/balancer.hpp"
#include "terrane/core/memory_range.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

class node;

/// What one node sent to another over the network.
struct pair_traffic {
  node_id from, to;
  std::uint64_t messages, bytes;
};

/// What a world can say of a run beyond what processors and nodes count.
struct world_statistics {
  bool simulated = false;
  std::uint64_t events = 0, event_log_hash = 0;
  bool event_log_complete = true;  // its file, if one was asked for
  bool repeatable = false;         // all work was declared: the same seed gives the same hash
  std::uint64_t network_messages = 0, network_bytes = 0, overflows = 0;
  std::uint64_t interface_peak = 0;       // messages that waited to be taken, at one node
  std::uint64_t interface_overflows = 0;  // arrivals that found no room there
  std::vector<pair_traffic> pairs;        // those that occurred, by sender, then by receiver
  std::vector<rare_probe> probes;         // of rare branches, by name
};

class transport {
 public:
  virtual ~transport() = default;

  /// The nodes, in order; before run().
  virtual void attach(std::span<node* const> nodes) = 0;

  /// True if that node is part of this process.
  virtual bool holds(node_id) const { return true; }
  /// Where that processor and its frames are to lie: TERRANE_ARENA_BYTES at a multiple of that,
  /// zeroed. Null: anywhere.
  virtual void* arena(processor_id) { return nullptr; }

  /// Nanoseconds since the run began, by the world's clock.
  virtual std::uint64_t now() = 0;

  /// Sends head and body, one after the other, to the processor `to`. Copies before it returns;
  /// never blocks.
  virtual void send(processor& from, processor_id to, entry kind, bytes_view head,
                    bytes_view body) = 0;
  /// Hands every message that has arrived for `here` to handle(). Called by its own thread.
  virtual void poll(processor& here) = 0;

  /// The fiber that runs is about to spawn, and was stopped for it (processor::stop_at_next_spawn).
  virtual void spawning(processor& /*here*/) {}

  /// A balancer's note, with the sender's load on its back. mover: the processor this thread runs,
  /// of any node; null in a thread that is none, which can be one of the world's own only.
  virtual void post_note(processor* mover, node& from, node_id to, const note& what, int load) = 0;
  /// A token that changes nodes; it is on a wire until it lies in a pool.
  virtual void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                          const load_hint& hint) = 0;

  /// Memory for the stacks of a processor's threads that may move, which every node has at these
  /// addresses. Empty: all nodes are in this process, and have any.
  virtual std::span<char> moving_stacks(processor_id) { return {}; }
  /// Why threads cannot move to other nodes; null: they can.
  virtual const char* why_threads_stay() const { return nullptr; }

  /// True once the process of that processor has ended before its time: it will read nothing more.
  virtual bool is_lost(processor_id) const { return false; }
  /// Not 0 while some are lost, and another number from time to time: then processors heed, and
  /// look for what was on its way there.
  virtual std::uint64_t loss_round() const { return 0; }

  /// Where that node's token_window is to lie; null: anywhere.
  virtual void* window(node_id) { return nullptr; }
  /// The load of another node now. Nothing where nodes share no memory.
  virtual std::optional<int> look(node_id) { return {}; }
  /// Takes the oldest token that another node offers, on its way to a pool of this one.
  virtual bool take_oldest(processor* /*mover*/, node_id, terrane_token&) { return false; }

  /// Any thread: ends the sleep of a processor, after what it shall see is visible. True if it
  /// slept.
  virtual bool wake(processor& sleeper) = 0;

  /// What this process has around those bytes, which `here` asks for, to write or to read; nothing,
  /// if they are not all its own.
  virtual memory_range owned(processor& /*here*/, const void*, std::size_t /*bytes*/,
                             bool /*to_write*/) {
    return all_memory;
  }
  /// Copies from the memory of `owner` to ours without its help. False where that cannot be done,
  /// for so few bytes or at all: it is to be asked for a message with them.
  virtual bool fetch(processor_id /*owner*/, const void* /*from*/, void* /*to*/,
                     std::size_t /*bytes*/) {
    return false;
  }
  /// From how many bytes on fetch() is better than a message.
  virtual std::size_t fetch_bytes_min() const { return ~std::size_t{0}; }

  /// The longest that an idle processor waits before it tells the balancer so again.
  virtual std::uint64_t ask_ns_max() const { return 20'000'000; }

  /// Declared work of the calling processor; only where time is charged.
  virtual void charge(const terrane_operation&, std::uint64_t /*count*/) {}
  virtual bool charges() const { return false; }
  virtual void describe(world_statistics&) const {}

  /// Runs every processor of this process until each has been told to stop. Called once.
  virtual void run(std::span<processor* const> processors) = 0;
};

}  // namespace terrane
