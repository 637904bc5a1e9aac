// SPDX-License-Identifier: Apache-2.0
// hand_off.hpp: a queue of items between threads of one node, with a buffer of fixed capacity;
// capacity 0 is a rendezvous.
//
//   hand_off<job> jobs(4);
//   jobs.send(next);                 // waits for room
//   while (auto each = jobs.take()) work(*each);    // empty when closed and all items are taken
//
// Invariants  Items come out in the order of sending, each to the thread that has waited longest.
//             T is any movable type, since nothing leaves the node. Across nodes: talk/channel.hpp.
// Source      [TESTBED §2.1.3] (occam channels).
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/thread/how_long.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

template <class T>
class hand_off {
 public:
  explicit hand_off(std::size_t buffered = 0) : room_(buffered) {}
  hand_off(const hand_off&) = delete;
  hand_off& operator=(const hand_off&) = delete;

  /// Returns when the item has been buffered or taken. R-283 if the queue is closed.
  void send(T item) { static_cast<void>(send_within(item, wait_queue::for_ever)); }
  /// False if nobody waits for an item and there is no room; then the item stays the caller's.
  bool try_send(T& item) { return send_within(item, 0); }
  bool try_send(T&& item) { return send_within(item, 0); }
  /// False on timeout; then the item stays the caller's.
  bool send_for(T& item, how_long time) { return send_within(item, time.nanoseconds()); }

  /// Returns the next item; nothing if the queue is closed and all items have been taken.
  std::optional<T> take() { return take_within(wait_queue::for_ever); }
  /// The same; nothing, too, if there is no item now, or within this time.
  std::optional<T> try_receive() { return take_within(0); }
  std::optional<T> receive_for(how_long time) { return take_within(time.nanoseconds()); }

  /// No item may be sent from now on. Threads that wait for an item are woken.
  void close() {
    node_lock::hold state(inside_);
    closed_ = true;
    takers_.wake_all();
  }

 private:
  struct party : waiter {
    party(thread_block& me, std::optional<T>* place) : waiter(me), item(place) {}
    std::optional<T>* const item;  // on the stack of the sender or receiver
  };

  bool send_within(T& item, std::uint64_t nanoseconds) {
    node_lock::hold state(inside_);
    if (closed_) fail(run_time_error::lock_misused, "an item was sent into a closed hand_off");
    if (waiter* const next = takers_.pop()) {
      static_cast<party*>(next)->item->emplace(std::move(item));
      state.let_go();
      wait_queue::wake(*next);
      return true;
    }
    if (buffer_.size() < room_) {
      buffer_.push_back(std::move(item));
      return true;
    }
    if (nanoseconds == 0) return false;
    std::optional<T> kept(std::move(item));
    party mine(thread_block::current("send"), &kept);
    if (senders_.wait_for(mine, state, nanoseconds, "a taker")) return true;
    item = std::move(*kept);
    return false;
  }
  std::optional<T> take_within(std::uint64_t nanoseconds) {
    node_lock::hold state(inside_);
    std::optional<T> item;
    if (!buffer_.empty()) {
      item.emplace(std::move(buffer_.front()));
      buffer_.pop_front();
    }
    if (waiter* const next = senders_.pop()) {
      std::optional<T>& theirs = *static_cast<party*>(next)->item;
      if (item)
        buffer_.push_back(std::move(*theirs));
      else
        item = std::move(theirs);
      state.let_go();
      wait_queue::wake(*next);
      return item;
    }
    if (item || closed_ || nanoseconds == 0) return item;
    party mine(thread_block::current("take"), &item);
    static_cast<void>(takers_.wait_for(mine, state, nanoseconds, "an item"));
    return item;
  }

  node_lock inside_;
  const std::size_t room_;
  bool closed_ = false;
  std::deque<T> buffer_;
  wait_queue senders_, takers_;  // one of them is empty
};

}  // namespace terrane
