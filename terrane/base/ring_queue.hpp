// SPDX-License-Identifier: Apache-2.0
// ring_queue.hpp: a double-ended queue of plain values in one ring that grows by doubling.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "terrane/base/check.hpp"

namespace terrane {

/// Values move by copy; nothing is allocated until the first push. One thread, or under a lock.
template <class T>
class ring_queue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return tail_ - head_; }
  bool empty() const { return head_ == tail_; }

  void push_back(const T& value) {
    const T kept = value;  // it may lie in the ring, which growing would free
    if (size() == capacity_) grow();
    ring_[tail_++ & (capacity_ - 1)] = kept;
  }
  void push_front(const T& value) {
    const T kept = value;
    if (size() == capacity_) grow();
    ring_[--head_ & (capacity_ - 1)] = kept;
  }
  T pop_front() {
    TERRANE_CHECK(!empty());
    return ring_[head_++ & (capacity_ - 1)];
  }
  T pop_back() {
    TERRANE_CHECK(!empty());
    return ring_[--tail_ & (capacity_ - 1)];
  }
  /// Removes one from the middle; those before it move up.
  T take(std::size_t index) {
    TERRANE_CHECK(index < size());
    const T taken = (*this)[index];
    for (; index != 0; --index)
      ring_[(head_ + index) & (capacity_ - 1)] = ring_[(head_ + index - 1) & (capacity_ - 1)];
    ++head_;
    return taken;
  }
  const T& operator[](std::size_t index) const { return ring_[(head_ + index) & (capacity_ - 1)]; }

 private:
  void grow() {
    const std::size_t larger = capacity_ ? capacity_ * 2 : 4;
    std::unique_ptr<T[]> ring(new T[larger]);
    for (std::size_t i = 0; i < size(); ++i) ring[i] = (*this)[i];
    tail_ = size();
    head_ = 0;
    capacity_ = larger;
    ring_ = std::move(ring);
  }

  std::unique_ptr<T[]> ring_;
  std::size_t capacity_ = 0, head_ = 0, tail_ = 0;
};

}  // namespace terrane
