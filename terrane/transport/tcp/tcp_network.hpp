// SPDX-License-Identifier: Apache-2.0
// tcp_network.hpp: the connections of one node with the others: what goes out, what comes in.
//
// Out         A message is appended to its peer's queue. The sender's processor writes the queues
//             between two fibers, or when they grow long, so that what a fiber sends travels
//             together. A queue that its socket does not take keeps its processors from running
//             fibers when it has grown too long (wired_world::poll), so memory stays bounded.
// In          Some thread has the turn: it accepts calls, goes on with handshakes, reads, and hands
//             frames to the rings of their processors. Where a ring is full, the frame stays where
//             it is and that connection is not read: its sender's window fills, and the sender
//             waits. So a receiver keeps one buffer for a connection, and one large message.
// Order       One queue and one connection for each pair of nodes, one reader at a time: messages
//             from one processor to another arrive in order.
// Argument    No arrival is overlooked: sockets report as long as something is there (epoll, level
//             triggered), and a processor that is about to sleep waits on the same epoll. While a
//             frame waits for room in a ring nobody goes to sleep.
// Source      [EARTH-SMP §4]
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/transport/tcp/peer.hpp"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

class tcp_network final : public wired_network {
 public:
  /// others: where the listeners of all nodes are, by number.
  tcp_network(const network_shape& shape, const identity& mine, admissions& admitted,
              descriptor listener, std::vector<address> others, network_user& user);

  void send(node_id there, std::uint16_t to, packed_head about, bytes_view head,
            bytes_view body) override;
  void flush() override;
  std::uint64_t unsent() const override { return unsent_.load(memory_order_relaxed); }
  bool all_sent() override;
  void lose(node_id which) override;
  bool turn() override;
  bool is_stalled() const override { return stalled_.load(memory_order_relaxed) != 0; }
  /// A node is to be called.
  bool wants_turn() const override { return to_call_.load(memory_order_seq_cst); }
  std::uint64_t turns() const override { return turns_.load(memory_order_relaxed); }
  int descriptor_to_wait_on() const override { return events_.number(); }
  /// Calls every node with a higher number, and waits until all nodes are connected.
  result<void> connect_all() override;
  std::vector<wire_statistics> figures() const override;

 private:
  enum class source : std::uint32_t { listener, greeting, call, link };
  void watch(int operation, const descriptor& socket, std::uint32_t events, source what,
             std::uint32_t which);
  void flush(node_id to, peer& its);
  void wants_flush(peer& its);
  void count_unsent(peer& its);
  bool look(int wait_ms);
  void accept_calls();
  void call_wanted();
  void greet(std::unique_ptr<connection>& one, source what, std::uint32_t which);
  void opened(std::unique_ptr<connection> made);
  void call_failed(node_id to);
  bool read_from(node_id from);
  bool hand_on(node_id from);
  bool read_large(peer& its);
  bool is_sound(node_id from, const frame_head& head, const unsigned char* data) const;
  bool retry_stalled();
  void stall(node_id from, bool so);
  void fail(node_id from, const std::string& how);
  void drop_late_greetings();
  bool is_complete() const { return open_ + 1 == shape_.nodes; }

  const network_shape shape_;
  const identity& mine_;
  const std::vector<address> others_;
  network_user& user_;
  std::unique_ptr<peer[]> peers_;
  descriptor events_;
  atomic<std::uint64_t> unsent_{0};
  atomic<bool> to_flush_{false}, to_call_{false};
  atomic<std::uint32_t> stalled_{0};
  atomic<std::uint64_t> turns_{0};  // the thread whose turn it is writes
  // whose turn it is, and what only that thread uses
  spin_lock turning_;
  admissions& admitted_;
  descriptor listener_;
  std::vector<std::unique_ptr<connection>> greetings_;
  std::uint32_t open_ = 0, greeting_ = 0;
  node_id only_ = 0;  // the node of the last connection that was opened
};

}  // namespace terrane
