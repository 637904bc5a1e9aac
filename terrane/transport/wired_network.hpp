// SPDX-License-Identifier: Apache-2.0
// wired_network.hpp: the wires of one node to the others, as its world uses them.
//
// Purpose     A world over wires (wired_world.hpp) packs, orders and delivers; a network carries
//             bytes: over sockets (tcp/tcp_network.hpp) or by a carrier
//             (carried/carried_network.hpp).
// Order       Messages from one processor to another arrive in the order in which they were sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/core/message.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/core/world_statistics.hpp"
#include "terrane/transport/outbox.hpp"

namespace terrane {

/// Where the bytes of a large message go that has been announced.
struct landing {
  enum class where {
    block,  // into a block, with which it is delivered (deliver_large)
    place,  // to `place`; then deliver_landed
    later,  // messages that came before it are to be taken first: it is to be asked again
  } where = where::block;
  void* place = nullptr;
};

/// Where a network delivers.
class network_user {
 public:
  /// head: the first bytes of the message, by which it was announced; `body_bytes` follow.
  virtual landing land(std::uint16_t /*to*/, packed_head /*about*/, bytes_view /*head*/,
                       std::uint64_t /*body_bytes*/) {
    return {};
  }
  /// The body lies at the place that land() named: what is left is its head alone.
  bool deliver_landed(std::uint16_t to, packed_head about, const put_request& head) {
    unsigned char record[packed_bytes(sizeof head)];
    pack(record, {about.kind(), false, about.from(), sizeof head, about.said_at()},
         {&head, sizeof head}, {});
    return deliver(to, record, sizeof record);
  }
  /// Puts a record (outbox.hpp) into the ring of a processor of this node, or of any if `to` is
  /// any_processor. False: there is no room.
  virtual bool deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) = 0;
  /// The same for a large message, whose receiver frees the block (rings::block_read).
  bool deliver_large(std::uint16_t to, packed_head about, const large_message& where) {
    unsigned char record[packed_bytes(sizeof where)];
    pack(record, {about.kind(), true, about.from(), sizeof where, about.said_at()},
         {&where, sizeof where}, {});
    return deliver(to, record, sizeof record);
  }
  /// The wire to that node has failed. how: completes "the connection ...".
  virtual void broken(node_id with, const std::string& how) = 0;

 protected:
  ~network_user() = default;
};

struct network_shape {
  node_id me = 0;
  std::uint32_t nodes = 1, processors_per_node = 1;
  bool senders_write = true;  // send() writes by itself when much waits

  /// True if that means a processor of this node, or any of them.
  bool is_here(std::uint16_t to) const {
    return to == any_processor || to / processors_per_node == me;
  }
  /// True if a processor of that node may have sent such a message.
  bool is_of(node_id from, packed_head about) const {
    return about.kind() <= entry::token && !about.large() &&
           about.from() / processors_per_node == from;
  }
  /// True if these are one or more whole messages that processors of that node may have sent.
  bool are_of(node_id from, const unsigned char* messages, std::size_t bytes) const {
    for (std::size_t at = 0; at < bytes;) {
      if (bytes - at < sizeof(packed_head)) return false;
      const packed_head about(messages + at);
      const std::size_t its = packed_bytes(about.size());
      if (!is_of(from, about) || its > bytes - at) return false;
      at += its;
    }
    return bytes != 0;
  }
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
  /// Bytes are under way that move on in turns only.
  virtual bool is_moving() const { return false; }
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
