// SPDX-License-Identifier: Apache-2.0
// on_demand.hpp: an object that is made when its owner first changes it.
//
// Purpose     What most processors of a large machine never use takes one word of each.
// Invariants  One thread at a time calls make(); any thread may call get() at any time. The owner
//             stores the address in release order after the object is made, and get() acquires it:
//             so whoever sees the address sees a whole object.
#pragma once

#include "terrane/base/atomic.hpp"

namespace terrane {

template <class T>
class on_demand {
 public:
  on_demand() = default;
  on_demand(const on_demand&) = delete;
  on_demand& operator=(const on_demand&) = delete;
  ~on_demand() { delete made_.load(memory_order_relaxed); }

  /// The object, which is made if it is not there yet. The owner alone.
  T& make() {
    if (T* const there = made_.load(memory_order_relaxed)) return *there;
    T* const fresh = new T();
    made_.store(fresh, memory_order_release);
    return *fresh;
  }
  bool is_made() const { return made_.load(memory_order_relaxed) != nullptr; }
  /// The object, or one that nobody has changed. Any thread.
  const T& get() const {
    static const T untouched{};
    const T* const there = made_.load(memory_order_acquire);
    return there ? *there : untouched;
  }

 private:
  atomic<T*> made_{nullptr};
};

}  // namespace terrane
