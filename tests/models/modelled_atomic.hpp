// SPDX-License-Identifier: Apache-2.0
// modelled_atomic.hpp: stands in for the atomics of base/atomic.hpp and the futex of base/futex.hpp
// where a protocol is explored: the same classes, compiled anew with this included before all else.
#pragma once

#define TERRANE_ATOMICS

#include <cstdint>
#include <cstring>

#include "tests/models/explorer.hpp"

namespace terrane {

inline constexpr auto memory_order_relaxed = model::order::relaxed;
inline constexpr auto memory_order_acquire = model::order::acquire;
inline constexpr auto memory_order_release = model::order::release;
inline constexpr auto memory_order_seq_cst = model::order::seq_cst;

/// Holds its initial value; the explorer keeps the values stored since, by the atomic's address.
template <class T>
class atomic {
  static_assert(sizeof(T) <= 8);

 public:
  atomic() = default;
  explicit(false) atomic(T initial) : initial_(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(model::order how = memory_order_seq_cst) const {
    return value(model::load(this, word(initial_), how));
  }
  void store(T what, model::order how = memory_order_seq_cst) {
    model::store(this, word(initial_), word(what), how);
  }
  T exchange(T what, model::order how = memory_order_seq_cst) {
    return value(model::modify(this, word(initial_), [&](auto) { return word(what); }, how));
  }
  T fetch_add(T more, model::order how = memory_order_seq_cst) {
    return value(model::modify(
        this, word(initial_),
        [&](std::uint64_t was) { return word(static_cast<T>(value(was) + more)); }, how));
  }
  bool compare_exchange_strong(T& expected, T what, model::order how = memory_order_seq_cst) {
    std::uint64_t found = word(expected);
    const bool stored = model::exchange_if(this, word(initial_), found, word(what), how);
    expected = value(found);
    return stored;
  }
  bool compare_exchange_weak(T& expected, T what, model::order how = memory_order_seq_cst) {
    return compare_exchange_strong(expected, what, how);
  }

 private:
  static std::uint64_t word(T from) {
    std::uint64_t to = 0;
    std::memcpy(&to, &from, sizeof from);
    return to;
  }
  static T value(std::uint64_t from) {
    T to;
    std::memcpy(&to, &from, sizeof to);
    return to;
  }
  friend void futex_wait(atomic<std::uint32_t>&, std::uint32_t, std::int64_t);
  T initial_{};
};

/// A wait: for something that another thread stores.
inline void pause_core() { model::wait_for_change(); }

/// A deadline never passes, so that a lost wake-up is found.
inline void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t) {
  model::futex_wait(&word, word.initial_, expected);
}
inline void futex_wake(atomic<std::uint32_t>& word) { model::futex_wake(&word); }

}  // namespace terrane
