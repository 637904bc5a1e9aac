// SPDX-License-Identifier: Apache-2.0
// global.hpp: data anywhere in the machine (T *GLOBAL), and the split-phase operations on it.
//
// Invariants  Only its owner accesses data. Every operation returns at once; the slot is signalled
//             when the data has arrived. Two operations of one fiber to one processor keep their
//             order.
// Source      docs/threaded-c-rules.md §5, §6; [EARTH-SMP §2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "terrane/cpp/slot.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// The place of a T on some processor. It cannot be dereferenced, only operated on.
template <class T>
struct global {
  terrane_global raw = 0;

  std::uint32_t owner() const { return terrane_owner_of(raw); }
  explicit operator bool() const { return raw != 0; }
  /// The T's address. Only for places on this node.
  T* local() const { return static_cast<T*>(terrane_to_local(raw)); }

  global operator+(std::ptrdiff_t elements) const {
    return {raw + static_cast<terrane_global>(elements * static_cast<std::ptrdiff_t>(sizeof(T)))};
  }
  global operator-(std::ptrdiff_t elements) const { return *this + -elements; }
  /// The number of elements between two places. They must be on one node.
  std::ptrdiff_t operator-(global other) const {
    if (terrane_node_of(owner()) != terrane_node_of(other.owner()))
      terrane_fail(220,
                   "the difference of places on processors %u and %u: they are on different nodes",
                   owner(), other.owner());
    return static_cast<T*>(terrane_address_in(raw)) -
           static_cast<T*>(terrane_address_in(other.raw));
  }
  friend bool operator==(global, global) = default;
};
template <class T>
inline constexpr bool position_independent<global<T>> = true;

/// TO_GLOBAL: the place of a datum on this processor.
template <class T>
global<T> to_global(T& here) {
  return {terrane_to_global(&here)};
}

/// PUT_SYNC: `value` is copied now, written at `to`, then `done` is signalled.
template <wire_value T>
[[gnu::always_inline]] inline void put(const std::type_identity_t<T>& value, global<T> to,
                                       slot_ref done) {
  terrane_put(&value, sizeof(T), to.raw, done.raw);
}

/// GET_SYNC: the value at `from` is written to `to`, on this processor, then `done` is signalled.
template <wire_value T>
void get(global<T> from, std::type_identity_t<T>& to, slot_ref done) {
  terrane_get(from.raw, sizeof(T), terrane_to_global(&to), done.raw);
}

/// BLKMOV_SYNC: `count` elements (not bytes); both places may be remote. The source must not change
/// until `done` is signalled.
template <wire_value T>
void block_move(global<T> from, std::type_identity_t<global<T>> to, std::size_t count,
                slot_ref done) {
  terrane_block_move(from.raw, to.raw, count * sizeof(T), done.raw);
}

/// Strided moves: `count` elements, `from_step` and `to_step` elements apart.
template <wire_value T>
void put_strided(const T* from, std::ptrdiff_t from_step, global<T> to, std::ptrdiff_t to_step,
                 std::uint32_t count, slot_ref done) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
  terrane_put_strided(
      from, to.raw, {from_step * bytes, to_step * bytes, count, static_cast<std::uint32_t>(bytes)},
      done.raw);
}
template <wire_value T>
void get_strided(global<T> from, std::ptrdiff_t from_step, T* to, std::ptrdiff_t to_step,
                 std::uint32_t count, slot_ref done) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
  terrane_get_strided(
      from.raw, terrane_to_global(to),
      {from_step * bytes, to_step * bytes, count, static_cast<std::uint32_t>(bytes)}, done.raw);
}

/// Fetch-and-add at the owner; the previous value is written to `old`.
inline void atomic_add(std::int64_t value, global<std::int64_t> at, std::int64_t& old,
                       slot_ref done) {
  terrane_atomic_add(value, at.raw, terrane_to_global(&old), done.raw);
}
inline void atomic_add(std::int64_t value, global<std::int64_t> at, slot_ref done) {
  terrane_atomic_add(value, at.raw, 0, done.raw);
}

/// Allocates zeroed memory for `count` elements on that processor; its place is written to
/// `result`. R-240 if there is no memory.
template <wire_value T>
void allocate(std::uint32_t processor, std::size_t count, global<T>& result, slot_ref done) {
  static_assert(sizeof(result) == sizeof(terrane_global));
  terrane_allocate(processor, count * sizeof(T), terrane_to_global(&result), done.raw);
}
/// FREE: frees what allocate() gave. May be called on any processor.
template <class T>
void release(global<T> place) {
  terrane_release(place.raw);
}

}  // namespace terrane
