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

#include "terrane/base/atomic.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/thread/how_long.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

namespace detail {

/// One wait in several queues (select.hpp): whoever wins it serves it, once.
class selection {
 public:
  /// True for the first who calls.
  bool win(int which) {
    int still = open;
    return won_.compare_exchange_strong(still, which, memory_order_relaxed, memory_order_relaxed);
  }
  int won() const { return won_.load(memory_order_relaxed); }

 private:
  static constexpr int open = -1;
  // Written once, by a partner under the lock of one of the queues, or by the alarm. Relaxed, since
  // it decides and orders nothing: a partner reads the waiter under the lock under which it was
  // added, and the thread that selects reads after the winner's signal, which orders memory.
  atomic<int> won_{open};
};

template <class T>
class take_case;
template <class T>
class send_case;

}  // namespace detail

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
    while (const party* const next = next_of(takers_)) wait_queue::wake(*next);
  }

 private:
  friend class detail::take_case<T>;
  friend class detail::send_case<T>;

  struct party : waiter {
    party(thread_block& me, std::optional<T>* place, detail::selection* of = nullptr, int at = 0)
        : waiter(me), room(place), selects(of), which(at) {}
    party(thread_block& me, T* sent, detail::selection* of = nullptr, int at = 0)
        : waiter(me), item(sent), selects(of), which(at) {}
    std::optional<T>* const room = nullptr;  // of a receiver
    T* const item = nullptr;                 // of a sender: it stays there until it is taken
    detail::selection* const selects;        // null: it waits here alone
    const int which;                         // of what it selects among
  };

  /// Takes the waiter that has waited longest from the queue. Those that select, and have been
  /// served elsewhere, no longer count. Null: nobody waits.
  static party* next_of(wait_queue& queue) {
    while (waiter* const next = queue.pop()) {
      auto* const found = static_cast<party*>(next);
      if (!found->selects || found->selects->win(found->which)) return found;
    }
    return nullptr;
  }
  /// Under the lock: false if the item must wait. wakes: whom to wake, after the lock.
  bool send_now(T& item, waiter*& wakes) {
    if (closed_) fail(run_time_error::lock_misused, "an item was sent into a closed hand_off");
    if (party* const next = next_of(takers_)) {
      next->room->emplace(std::move(item));
      wakes = next;
      return true;
    }
    if (buffer_.size() >= room_) return false;
    buffer_.push_back(std::move(item));
    return true;
  }
  /// Under the lock: false if there is no item, and one may come.
  bool take_now(std::optional<T>& item, waiter*& wakes) {
    if (!buffer_.empty()) {
      item.emplace(std::move(buffer_.front()));
      buffer_.pop_front();
    }
    if (party* const next = next_of(senders_)) {
      if (item)
        buffer_.push_back(std::move(*next->item));
      else
        item.emplace(std::move(*next->item));
      wakes = next;
    }
    return item || closed_;
  }

  bool send_within(T& item, std::uint64_t nanoseconds) {
    node_lock::hold state(inside_);
    waiter* wakes = nullptr;
    if (send_now(item, wakes)) {
      state.let_go();
      if (wakes) wait_queue::wake(*wakes);
      return true;
    }
    if (nanoseconds == 0) return false;
    party mine(thread_block::current("send"), &item);
    return senders_.wait_for(mine, state, nanoseconds, "a taker");
  }
  std::optional<T> take_within(std::uint64_t nanoseconds) {
    node_lock::hold state(inside_);
    std::optional<T> item;
    waiter* wakes = nullptr;
    if (take_now(item, wakes) || nanoseconds == 0) {
      state.let_go();
      if (wakes) wait_queue::wake(*wakes);
      return item;
    }
    party mine(thread_block::current("take"), &item);
    static_cast<void>(takers_.wait_for(mine, state, nanoseconds, "an item"));
    return item;
  }

  node_lock inside_;
  const std::size_t room_;
  bool closed_ = false;
  std::deque<T> buffer_;
  // One of them is empty, but for those that select: they may have been served elsewhere, or stand
  // in both.
  wait_queue senders_, takers_;
};

}  // namespace terrane
