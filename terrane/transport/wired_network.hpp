// SPDX-License-Identifier: Apache-2.0
// wired_network.hpp: the wires of one node to the others, as its world uses them.
//
// Purpose     A world over wires (wired_world.hpp) packs, orders and delivers; a network carries
//             bytes: over sockets (tcp/tcp_network.hpp) or by an MPI (mpi/mpi_network.hpp).
// Order       Messages from one processor to another arrive in the order in which they were sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/core/message.hpp"
#include "terrane/core/world_statistics.hpp"
#include "terrane/transport/outbox.hpp"

namespace terrane {

/// Where a network delivers.
class network_user {
 public:
  /// Puts a record (outbox.hpp) into the ring of a processor of this node, or of any if `to` is
  /// any_processor. False: there is no room.
  virtual bool deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) = 0;
  /// The wire to that node has failed. how: completes "the connection ...".
  virtual void broken(node_id with, const std::string& how) = 0;

 protected:
  ~network_user() = default;
};

struct network_shape {
  node_id me = 0;
  std::uint32_t nodes = 1, processors_per_node = 1;
  bool senders_write = true;  // send() writes by itself when much waits
};

class wired_network {
 public:
  virtual ~wired_network() = default;

  // --- sending: any thread ---

  /// Appends a message for a processor of another node, or for any_processor of it. The caller
  /// sees to it that flush() is called.
  virtual void send(node_id there, std::uint16_t to, packed_head about, bytes_view head,
                    bytes_view body) = 0;
  /// Sends what waits, as far as the wires take it.
  virtual void flush() = 0;
  /// Bytes that wait although a wire was offered them.
  virtual std::uint64_t unsent() const = 0;
  /// True if nothing waits for peers that still read.
  virtual bool all_sent() = 0;
  /// That node's process has ended: nothing more is sent to it.
  virtual void lose(node_id which) = 0;

  // --- receiving: any thread ---

  /// One turn of input; does nothing if another thread has the turn. True if a record was
  /// delivered.
  virtual bool turn() = 0;
  /// A record waits for room in the ring of a processor.
  virtual bool is_stalled() const = 0;
  /// Something is to be done that takes a turn.
  virtual bool wants_turn() const = 0;
  /// How often turn() was called.
  virtual std::uint64_t turns() const = 0;
  /// Becomes readable when a turn has something to do; below 0: nothing says so, and who sleeps
  /// has to look now and then.
  virtual int descriptor_to_wait_on() const = 0;
  /// False if only the thread that made the machine may serve it.
  virtual bool takes_any_thread() const { return true; }

  // --- around the run ---

  /// Connects this node with all others. Before the run, on one thread. The error names a node that
  /// cannot be reached.
  virtual result<void> connect_all() = 0;
  /// The run is over in all nodes: leaves nothing on its way.
  virtual void close() {}
  virtual std::vector<wire_statistics> figures() const = 0;
};

}  // namespace terrane
