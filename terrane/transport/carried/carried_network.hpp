// SPDX-License-Identifier: Apache-2.0
// carried_network.hpp: the wires of one node to the others through a carrier.
//
// Out         Messages wait in batches (batch_queue.hpp). A batch is one piece for the carrier;
//             the bytes of a large message are another, which the receiver takes directly to where
//             they belong.
// Credit      A receiver has posted a few receives for each sender, and a sender has a credit for
//             each of them. A batch costs one credit, which comes back with a later batch of the
//             other direction, or, when half of them are due, by a piece of its own. So every
//             batch finds a receive that was posted for it, whatever the pattern: the carrier keeps
//             nothing unexpected but a few pieces of 8 bytes. A receive whose batch was read is
//             posted again, and its credit becomes due, when a turn brings nothing, or when half of
//             them are to be: whoever waits for an answer does not wait for that. A large message
//             is announced by its batch, and the credit of that batch comes back when it is read;
//             so few of them are under way to a node.
// Large       The receiver posts the receive of the bytes when it comes to their frame, at their
//             place if its user names one (network_user::land), and takes nothing further from that
//             node until they are there. That keeps the order.
// Full ring   A frame that finds no room in the ring of its processor stays where it is, and with
//             it the credit.
// Close       Each node sends each a last batch, and takes everything until it has the last batch
//             of every other. So nothing is left in the carrier that a later run could take for its
//             own. A node that closes throws away what comes, and whoever has its last batch sends
//             it nothing more. A last batch is a head alone and costs no credit: the other may owe
//             all of them.
// Threads     Whoever holds the turn calls the carrier. If that serves one thread alone, no other
//             has a turn.
// Loss        A node that is lost is taken from the links in the next turn: its requests end, and
//             nothing is sent to it or expected of it any more.
// Argument    to_flush_ is raised after a message was appended. Whoever finds the turn taken leaves
//             it raised; the holder looks again after it has given the turn up.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/transport/carried/batch_queue.hpp"
#include "terrane/transport/carried/carrier.h"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

/// Of the pieces.
enum carried_tag : int { batch_tag = 1, large_tag, return_tag };

inline constexpr std::size_t piece_bytes_max = std::size_t{1} << 30;  // MPI counts in ints

class carried_network final : public wired_network {
 public:
  /// among: the nodes of the run; nobody else uses it while this object lives.
  carried_network(const terrane_carrier& carrier, terrane_carrier_handle among,
                  const network_shape& shape, network_user& user);
  ~carried_network() override;

  void send(node_id there, std::uint16_t to, packed_head about, bytes_view head,
            bytes_view body) override;
  void flush() override;
  std::uint64_t unsent() const override { return unsent_.load(memory_order_relaxed); }
  bool all_sent() override;
  void lose(node_id which) override;
  bool turn() override;
  bool is_stalled() const override { return stalled_.load(memory_order_relaxed) != 0; }
  bool wants_turn() const override {
    return may_serve() &&
           (to_flush_.load(memory_order_seq_cst) || to_lose_.load(memory_order_relaxed));
  }
  bool is_moving() const override { return moving_.load(memory_order_relaxed) != 0; }
  std::uint64_t turns() const override { return turns_.load(memory_order_relaxed); }
  int descriptor_to_wait_on() const override { return -1; }
  bool takes_any_thread() const override { return any_thread_; }
  result<void> connect_all() override { return {}; }
  void close() override;
  std::vector<wire_statistics> figures() const override;

 private:
  /// A batch that the carrier has not sent yet.
  struct flight {
    batch what;
    std::vector<terrane_carrier_handle> requests;
  };
  struct alignas(64) link {
    // under `sending`
    spin_lock sending;
    batch_queue out;
    bool ended = false;  // the other takes nothing any more
    std::uint64_t messages = 0;
    // Raised by senders after they have appended; lowered before the queue is looked at.
    atomic<bool> to_flush{false};
    atomic<bool> to_lose{false};
    // whose turn it is
    std::uint32_t credits = 0, owed = 0;
    std::uint64_t returns_sent = 0, returns_come = 0;
    std::uint64_t batches = 0, bytes = 0, writes = 0;
    std::uint64_t flying_bytes = 0, unsent = 0, blocked_since_ns = 0, blocked_ns = 0;
    std::deque<flight> flights;
    // the posted receives, oldest next; that one stands in awaited_ instead
    std::vector<std::unique_ptr<unsigned char[]>> buffers;
    std::vector<terrane_carrier_handle> receives;
    std::uint32_t next = 0, taken = 0;  // taken: receives before `next` that are to be posted again
    // the batch that is being read: what of it is left; and its large message, as far as it is
    // there
    std::size_t at = 0, end = 0;
    unsigned char *body = nullptr, *block = nullptr;  // block: null if it goes to its place
    std::size_t arrived = 0, body_bytes = 0;
    bool stalled = false, said_last = false, heard_last = false;
    bool failed = false, lost = false;
    std::uint64_t returns_announced = 0;
    // credits that travel alone
    static constexpr std::uint32_t returns_at_once = 3;
    std::uint64_t return_data[returns_at_once] = {};
    terrane_carrier_handle return_requests[returns_at_once];
    std::uint64_t return_come = 0;
  };

  bool may_serve() const { return any_thread_ || std::this_thread::get_id() == maker_; }
  template <class Use>
  bool take_turn(Use&& use);
  void push_wanted();
  void push(node_id to, link& its);
  void end_sending(link& its);
  void launch(node_id to, link& its, batch&& one);
  void lose_wanted();
  void reap();
  void take_returns();
  void return_credits(node_id to, link& its);
  bool receive();
  bool hand_on(node_id from);
  bool is_sound(node_id from, const batch_frame& frame, const unsigned char* data,
                std::size_t bytes) const;
  bool hand_on_large(node_id from, link& its, const batch_frame& frame, const unsigned char* data);
  bool choose_place(link& its, const batch_frame& frame, const large_head& large, bytes_view first);
  void moves(int more) {
    moving_.store(moving_.load(memory_order_relaxed) + static_cast<std::uint32_t>(more),
                  memory_order_relaxed);
  }
  void begin_batch(node_id from, link& its, std::size_t bytes);
  void fail(node_id from);
  void finish_batch(node_id from, link& its);
  void post_taken();
  void post_taken(node_id from, link& its);
  void post(node_id from, link& its, std::uint32_t which);
  bool retry_stalled();
  void stall(link& its, bool so);
  bool deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes);
  void count_unsent(link& its);
  bool is_closed(const link& its) const;
  void expect(int error, node_id with);

  const terrane_carrier& carrier_;
  const terrane_carrier_handle among_;
  const network_shape shape_;
  network_user& user_;
  const bool any_thread_;
  const std::thread::id maker_;
  const std::uint32_t window_;  // batches of one sender
  std::unique_ptr<link[]> links_;
  atomic<std::uint64_t> unsent_{0}, turns_{0};
  atomic<std::uint32_t> stalled_{0};
  // Batches that are being sent and large messages that are being received. Whose turn it is
  // writes; others read it to decide whether to sleep, and are right a moment later.
  atomic<std::uint32_t> moving_{0};
  atomic<bool> to_flush_{false}, to_lose_{false};
  // whose turn it is, and what only that thread uses
  spin_lock turning_;
  // by node: what its next bytes will complete; and its next credits
  std::vector<terrane_carrier_handle> awaited_, returns_;
  std::uint32_t flying_ = 0;   // batches
  std::uint32_t to_post_ = 0;  // receives
  bool starving_ = false;      // a link has few credits
  bool closing_ = false;
};

}  // namespace terrane
