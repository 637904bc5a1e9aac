// SPDX-License-Identifier: Apache-2.0
// token_pool.hpp: the tokens a node offers: its processors stock it, idle ones and the balancer
// take.
//
// It is the old end of EARTH's token queue: stocked from the old end of the processors' private
// stacks, taken oldest first, arrivals from other nodes at the old end. Invariants  `size_` and
// `hungry_` are hints for those who do not hold the lock; each is exact under it. hungry: fewer
// than half the target lie here, until the target is reached again.
// Cost        One short lock, only when somebody asks or is asked.
// Source      000_bc3addaab27f37f8.txt section 2.2 (TQ).
#pragma once

#include <cstdint>
#include <mutex>

#include "terrane/base/atomic.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/terrane.h"

namespace terrane {

class token_pool {
 public:
  /// target: how many tokens its own processors keep here; 0 when there is nobody to offer them to.
  explicit token_pool(std::uint32_t target) : target_(target), hungry_(target > 0) {}

  /// From this node's own processors. False when nothing more is wanted.
  bool put_newest(const terrane_token& token) {
    const std::lock_guard hold(lock_);
    if (!hungry_.load(memory_order_relaxed)) return false;
    tokens_.push_back(token);
    update();
    return true;
  }

  /// Arrivals from another node; always taken in.
  void put_oldest(const terrane_token& token) {
    const std::lock_guard hold(lock_);
    tokens_.push_front(token);
    update();
  }

  bool take_oldest(terrane_token& token) {
    if (size() == 0) return false;
    const std::lock_guard hold(lock_);
    if (tokens_.empty()) return false;
    token = tokens_.pop_front();
    update();
    return true;
  }

  /// Hints: exact only while nobody else is at the pool. seq_cst: a processor about to sleep looks
  /// here after announcing its sleep (parker.hpp).
  std::uint32_t size() const { return size_.load(memory_order_seq_cst); }
  bool hungry() const { return hungry_.load(memory_order_relaxed); }

 private:
  void update() {
    const auto size = static_cast<std::uint32_t>(tokens_.size());
    size_.store(size, memory_order_seq_cst);
    if (size >= target_)
      hungry_.store(false, memory_order_relaxed);
    else if (size * 2 < target_)
      hungry_.store(true, memory_order_relaxed);
  }

  const std::uint32_t target_;
  spin_lock lock_;
  ring_queue<terrane_token> tokens_;
  atomic<std::uint32_t> size_{0};
  atomic<bool> hungry_;
};

}  // namespace terrane
