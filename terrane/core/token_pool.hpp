// SPDX-License-Identifier: Apache-2.0
// token_pool.hpp: the tokens that a node offers. Its processors stock the pool; idle processors,
// the balancer, and other nodes that share memory take from it.
//
// The pool is the old end of EARTH's token queue: it is stocked from the old end of the processors'
// private stacks, the oldest tokens are taken first, and tokens that arrive from other nodes go to
// the old end.
//
// Invariants  The window lies where other processes may see it, and has room for far more than the
//             target. It needs the room for threads: all of them go there, because the processor
//             that made them may run one of them for a long time. Tokens that arrive or are pushed
//             out of the window wait in the node's own memory; they are older than all in the
//             window. When a thread of the node takes or puts, the window is filled from there.
//             `size` and `hungry` are exact for the holder of the lock, and hints for others. The
//             pool is hungry when it holds fewer than half the target, until it reaches the target.
// Cost        One short lock, only for an operation on the pool.
// Source      [EARTH-LB §2.2] (TQ).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "terrane/base/atomic.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// How many tokens a node keeps where other processors can take them: 0 if there are no others.
inline std::uint32_t pool_target(std::uint32_t nodes, std::uint32_t processors_per_node) {
  const bool alone = nodes == 1 && processors_per_node == 1;
  return alone ? 0 : std::max<std::uint32_t>(8, 2 * processors_per_node);
}

/// The part of a pool that other processes see: a ring, in the memory that follows if they do.
class alignas(64) token_window {
 public:
  explicit token_window(std::uint32_t target) : token_window(target, capacity_for(target)) {
    lies_at(this + 1);
  }
  /// Its ring is not there yet: see lies_at().
  token_window(std::uint32_t target, std::uint32_t capacity)
      : target_(target), capacity_(capacity), hungry_(target > 0) {}
  token_window(const token_window&) = delete;
  token_window& operator=(const token_window&) = delete;

  static constexpr std::uint32_t capacity_for(std::uint32_t target) {
    return target == 0 ? 16 : std::max<std::uint32_t>(256, 2 * target);
  }
  /// For a window that only its own processors see: what does not fit waits.
  static constexpr std::uint32_t least_capacity_for(std::uint32_t target) {
    return std::max<std::uint32_t>(16, 2 * target);
  }
  static constexpr std::size_t bytes_for(std::uint32_t target) {
    return sizeof(token_window) + capacity_for(target) * sizeof(terrane_token);
  }

  /// May be called by any thread or process: takes the oldest token that is `wanted`.
  template <class Wanted>
  bool take_oldest(terrane_token& token, Wanted&& wanted) {
    if (size() == 0) return false;
    const std::lock_guard hold(lock_);
    for (std::uint32_t i = 0; i != count_; ++i)
      if (wanted(at(i))) return take(i, token);
    return false;
  }
  /// Takes the newest token that is `wanted`.
  template <class Wanted>
  bool take_newest(terrane_token& token, Wanted&& wanted) {
    if (size() == 0) return false;
    const std::lock_guard hold(lock_);
    for (std::uint32_t i = count_; i-- > 0;)
      if (wanted(at(i))) return take(i, token);
    return false;
  }
  /// Takes a token that is `wanted`. The search begins where the token was put and continues on
  /// both sides, because tokens that were taken meanwhile may have moved it.
  template <class Wanted>
  bool take_near(std::uint32_t place, terrane_token& token, Wanted&& wanted) {
    if (size() == 0) return false;
    const std::lock_guard hold(lock_);
    const std::uint32_t ahead = place < first_ ? capacity_ : 0;  // it lies past the ring's end
    const std::uint32_t from = std::min(place + ahead - first_, count_);
    for (std::uint32_t below = from, above = from; below != 0 || above != count_;) {
      if (above != count_ && wanted(at(above++))) return take(above - 1, token);
      if (below != 0 && wanted(at(--below))) return take(below, token);
    }
    return false;
  }
  /// Hints. size is seq_cst: a processor about to sleep reads it after it has announced its sleep
  /// (parker.hpp).
  std::uint32_t size() const { return size_.load(memory_order_seq_cst); }
  bool hungry() const { return hungry_.load(memory_order_relaxed); }

 private:
  friend class token_pool;
  terrane_token& at(std::uint32_t index) {
    char* const ring = reinterpret_cast<char*>(this) + ring_at_;
    return reinterpret_cast<terrane_token*>(ring)[wrapped(first_ + index)];
  }
  /// Says where the ring lies, before anything is put.
  void lies_at(void* ring) { ring_at_ = static_cast<char*>(ring) - reinterpret_cast<char*>(this); }
  /// place modulo the capacity, for places below twice the capacity, without a division.
  std::uint32_t wrapped(std::uint32_t place) const {
    return place < capacity_ ? place : place - capacity_;
  }
  /// Call under the lock. The tokens between `index` and the nearer end move by one place.
  bool take(std::uint32_t index, terrane_token& token) {
    token = at(index);
    if (index < count_ / 2) {
      for (; index != 0; --index) at(index) = at(index - 1);
      first_ = wrapped(first_ + 1);
    } else {
      for (; index + 1 != count_; ++index) at(index) = at(index + 1);
    }
    change_count(count_ - 1);
    return true;
  }
  void change_count(std::uint32_t count) {
    count_ = count;
    size_.store(count, memory_order_seq_cst);
    if (count >= target_)
      hungry_.store(false, memory_order_relaxed);
    else if (count * 2 < target_)
      hungry_.store(true, memory_order_relaxed);
  }

  const std::uint32_t target_, capacity_;
  spin_lock lock_;
  atomic<std::uint32_t> size_{0};
  atomic<bool> hungry_;
  // under lock_
  std::uint32_t first_ = 0, count_ = 0;
  std::ptrdiff_t ring_at_ = 0;  // from here, so that it is the same in all processes
};

/// The pool as its own node sees it: the window, and the tokens that wait to enter it.
class token_pool {
 public:
  /// target: how many tokens the node's processors keep here; 0 if there is nobody to offer them
  /// to. memory: token_window::bytes_for(target) bytes, aligned to 64; null: the pool's own, whose
  /// ring is made when it is first used. small: its window has no more room than it needs.
  explicit token_pool(std::uint32_t target, void* memory = nullptr, bool small = false)
      : window_(memory ? *::new(memory) token_window(target)
                       : *::new(own_)
                             token_window(target, small ? token_window::least_capacity_for(target)
                                                        : token_window::capacity_for(target))),
        own_ring_needed_(memory == nullptr) {}
  token_pool(const token_pool&) = delete;
  token_pool& operator=(const token_pool&) = delete;

  /// Puts in tokens of this node's processors until there are enough. give(place) writes a token,
  /// or returns false if there is none. Returns how many were put; 0, without calling `give`, if no
  /// more are wanted.
  template <class Give>
  std::uint32_t fill(Give&& give) {
    const std::lock_guard hold(window_.lock_);
    const std::uint32_t before = window_.count_;
    if (!window_.hungry()) return 0;
    need_ring();
    std::uint32_t count = before;
    while (count < window_.target_ && give(window_.at(count))) ++count;
    if (count != before) window_.change_count(count);
    return count - before;
  }
  /// The same for one token. False: no more are wanted.
  bool put_newest(const terrane_token& token) {
    bool given = false;
    return fill([&](terrane_token& place) {
             if (given) return false;
             place = token;
             return given = true;
           }) == 1;
  }
  /// The same, even if no more are wanted. If the window is full, its oldest token is pushed out to
  /// wait. Returns the token's place, for take_near; nothing if there is nobody to offer it to.
  std::optional<std::uint32_t> share_newest(const terrane_token& token) {
    const std::lock_guard hold(window_.lock_);
    if (window_.target_ == 0) return {};
    need_ring();
    fill_window();
    if (window_.count_ == window_.capacity_) {
      waiting_.push_back(window_.at(0));
      window_.first_ = window_.wrapped(window_.first_ + 1);
      window_.change_count(window_.count_ - 1);
      count_waiting();
    }
    window_.at(window_.count_) = token;
    window_.change_count(window_.count_ + 1);
    return window_.wrapped(window_.first_ + window_.count_ - 1);
  }

  /// Puts in a token that arrived from another node; never refused.
  void put_oldest(const terrane_token& token) {
    const std::lock_guard hold(window_.lock_);
    waiting_.push_front(token);
    fill_window();
  }

  bool take_oldest(terrane_token& token) { return take_oldest(token, any); }
  /// Takes the oldest token that is `wanted`.
  template <class Wanted>
  bool take_oldest(terrane_token& token, Wanted&& wanted) {
    if (size() == 0) return false;
    {
      const std::lock_guard hold(window_.lock_);
      for (std::size_t i = 0; i != waiting_.size(); ++i)
        if (wanted(waiting_[i])) return take_waiting(i, token);
    }
    return window_.take_oldest(token, wanted);
  }
  /// Takes the newest token that is `wanted`.
  template <class Wanted>
  bool take_newest(terrane_token& token, Wanted&& wanted) {
    if (window_.take_newest(token, wanted)) return true;
    if (size() == 0) return false;
    const std::lock_guard hold(window_.lock_);
    for (std::size_t i = waiting_.size(); i-- > 0;)
      if (wanted(waiting_[i])) return take_waiting(i, token);
    return false;
  }

  /// Takes a token that is `wanted` and was put at that place; it may have moved.
  template <class Wanted>
  bool take_near(std::uint32_t place, terrane_token& token, Wanted&& wanted) {
    return window_.take_near(place, token, wanted) || take_oldest(token, wanted);
  }

  /// Hints: exact only while no other thread uses the pool.
  std::uint32_t size() const { return window_.size() + waiting_size_.load(memory_order_seq_cst); }
  bool hungry() const { return window_.hungry(); }
  token_window& window() { return window_; }

 private:
  /// Call under the lock, before anything is put.
  void need_ring() {
    if (!own_ring_needed_) return;
    own_ring_needed_ = false;
    ring_.reset(new terrane_token[window_.capacity_]);
    window_.lies_at(ring_.get());
  }
  static bool any(const terrane_token&) { return true; }

  /// Tokens that wait are older than those in the window, so the youngest of them goes in first.
  void fill_window() {
    if (!waiting_.empty()) need_ring();
    while (!waiting_.empty() && window_.count_ < window_.capacity_) {
      window_.first_ = window_.wrapped(window_.first_ + window_.capacity_ - 1);
      window_.at(0) = waiting_.pop_back();
      window_.change_count(window_.count_ + 1);
    }
    count_waiting();
  }
  bool take_waiting(std::size_t index, terrane_token& token) {
    token = waiting_.take(index);
    fill_window();
    return true;
  }
  void count_waiting() {
    waiting_size_.store(static_cast<std::uint32_t>(waiting_.size()), memory_order_seq_cst);
  }

  alignas(token_window) unsigned char own_[sizeof(token_window)];
  token_window& window_;
  bool own_ring_needed_;  // under the window's lock
  std::unique_ptr<terrane_token[]> ring_;
  ring_queue<terrane_token> waiting_;  // oldest first; under the window's lock
  atomic<std::uint32_t> waiting_size_{0};
};

}  // namespace terrane
