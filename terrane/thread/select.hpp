// SPDX-License-Identifier: Apache-2.0
// select.hpp: a choice among several hand_offs: items to take and to send, a time, and "at once".
//
//   select(on_take(jobs, [&](std::optional<job> next) { ... }),   // nothing: jobs is closed
//          on_send(results, best, [&] { ... }),                   // `best` was moved out
//          on_timeout(10ms, [&] { ... }));                        // none of it for 10 ms
//   select(on_take(jobs, ...), otherwise([&] { ... }));           // does not wait
//
// Purpose     Go's select between threads of one node. For ends of channels, across nodes: alt.hpp.
// Invariants  Exactly one case happens, and its function is called after that; no other case has
//             taken or sent anything. If several are ready, all are equally likely.
// Method      The locks of all queues are taken in the order of their addresses, so that nobody can
//             be served between the look at the first queue and the entry into the last. A thread
//             that waits stands in every queue; whoever pops it first wins the selection, the
//             others pass it over. Then it leaves the other queues.
// Argument    A party reads or moves an item only after it has won the selection, under the lock of
//             that queue; the thread that selects looks at its items only after the winner's
//             signal. It leaves each queue under its lock: nobody can hold a pointer to its waiters
//             after that.
// Cost        Two locks of each queue if it waits, one if not.
// Source      Go's select statement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "terrane/thread/hand_off.hpp"

namespace terrane {

namespace detail {

class select_case {
 public:
  node_lock* lock = nullptr;                         // null: a time, or `otherwise`
  std::uint64_t nanoseconds = wait_queue::for_ever;  // 0: it is chosen if nothing else is ready

  /// Under the lock: happens if it can. wakes: whom to wake, after the lock.
  virtual bool try_now(waiter*&) { return false; }
  /// Under the lock: enters the queue.
  virtual void enter(thread_block&, selection&, int, terrane_slot_ref) {}
  /// Under the lock, and only after enter().
  virtual void leave() {}

 protected:
  ~select_case() = default;
};

template <class T>
class take_case : public select_case {
 public:
  explicit take_case(hand_off<T>& from) : from_(from) { lock = &from.inside_; }
  bool try_now(waiter*& wakes) final { return from_.take_now(item_, wakes); }
  void enter(thread_block& me, selection& of, int which, terrane_slot_ref slot) final {
    from_.takers_.add(mine_.emplace(me, &item_, &of, which), slot);
  }
  void leave() final { wait_queue::withdraw(*mine_); }

 protected:
  ~take_case() = default;
  std::optional<T> item_;

 private:
  hand_off<T>& from_;
  std::optional<typename hand_off<T>::party> mine_;
};

template <class T>
class send_case : public select_case {
 public:
  send_case(hand_off<T>& to, T& item) : to_(to), item_(item) { lock = &to.inside_; }
  bool try_now(waiter*& wakes) final { return to_.send_now(item_, wakes); }
  void enter(thread_block& me, selection& of, int which, terrane_slot_ref slot) final {
    to_.senders_.add(mine_.emplace(me, &item_, &of, which), slot);
  }
  void leave() final { wait_queue::withdraw(*mine_); }

 protected:
  ~send_case() = default;

 private:
  hand_off<T>& to_;
  T& item_;
  std::optional<typename hand_off<T>::party> mine_;
};

class time_case : public select_case {
 public:
  explicit time_case(std::uint64_t after) { nanoseconds = after; }

 protected:
  ~time_case() = default;
};

template <class T, class F>
struct take_then final : take_case<T> {
  take_then(hand_off<T>& from, F then) : take_case<T>(from), then_(std::move(then)) {}
  void run() { then_(std::exchange(this->item_, std::nullopt)); }
  F then_;
};
template <class Case, class F>
struct then_call final : Case {
  template <class... A>
  explicit then_call(F then, A&&... values)
      : Case(std::forward<A>(values)...), then_(std::move(then)) {}
  void run() { then_(); }
  F then_;
};

/// Returns the number of the case that has happened. holds: room for `count` locks.
std::size_t select_among(select_case* const* cases, std::size_t count,
                         std::optional<node_lock::hold>* holds);

}  // namespace detail

/// Takes the next item, and calls then(std::optional<T>): nothing if the queue is closed and empty.
template <class T, class F>
auto on_take(hand_off<T>& from, F then) {
  static_assert(std::is_invocable_v<F&, std::optional<T>>,
                "on_take(queue, f) calls f(std::optional<T>): nothing if the queue is closed");
  return detail::take_then<T, F>(from, std::move(then));
}
/// Sends the item, and calls then(). If another case happens, the item stays where it is. R-283 if
/// the queue is closed.
template <class T, class F>
auto on_send(hand_off<T>& to, T& item, F then) {
  return detail::then_call<detail::send_case<T>, F>(std::move(then), to, item);
}
/// Calls then() if nothing else happens within this time.
template <class F>
auto on_timeout(how_long time, F then) {
  return detail::then_call<detail::time_case, F>(std::move(then), time.nanoseconds());
}
/// Calls then() if nothing else can happen at once.
template <class F>
auto otherwise(F then) {
  return detail::then_call<detail::time_case, F>(std::move(then), std::uint64_t{0});
}

/// Waits until one of the cases can happen, lets it happen, and calls its function. Returns its
/// number, from 0. R-281 in a fiber.
template <class... Cases>
std::size_t select(Cases&&... cases) {
  static_assert(sizeof...(Cases) > 0, "select takes cases: on_take(queue, f), on_send(...), ...");
  detail::select_case* const all[] = {&cases...};
  std::optional<node_lock::hold> holds[sizeof...(Cases)];
  const std::size_t chosen = detail::select_among(all, sizeof...(Cases), holds);
  std::size_t i = 0;
  static_cast<void>(((i++ == chosen ? (cases.run(), true) : false) || ...));
  return chosen;
}

}  // namespace terrane
