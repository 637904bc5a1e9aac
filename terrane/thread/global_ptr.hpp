// SPDX-License-Identifier: Apache-2.0
// global_ptr.hpp: shared data for threads: a pointer to a T anywhere in the machine, read and
// written like any pointer.
//
//   global_ptr<long> cells = shared;           // a terrane::global<long>, of any processor
//   cells[3] = cells[2] + 1;                   // others run here until the value has come
//   this_thread::push_self(cells.node());      // or the thread moves to the data
//
// Purpose     The counterpart of terrane::global, which is for fibers: here the thread waits for
//             each access. A global_ptr may be sent as a global may: in a thread that moves, in the
//             arguments of spawn, invoke and post.
// Invariants  Only its owner touches memory, so single reads and writes of one place are never
//             torn; a write is done when the assignment returns. A read that is followed by a write
//             needs a lock, or fetch_add.
// Cost        Data of this processor: a compare and a copy. Other data: a message there, one back,
//             and two switches, whatever the size; so read and write many elements at once.
// Source      [ACTIVE §3.2] (shared data, global pointers).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "terrane/cpp/global.hpp"
#include "terrane/cpp/wire_value.hpp"

namespace terrane {

/// For threads. A fiber may call them too if the place is this processor's, else R-281.
void read_place(terrane_global from, void* into, std::size_t bytes);
void write_place(terrane_global to, const void* from, std::size_t bytes);
std::int64_t add_at_place(terrane_global at, std::int64_t value);

/// The element that a global_ptr points to: read by conversion, written by assignment.
template <class T>
class global_ref {
 public:
  using value = std::remove_const_t<T>;
  explicit global_ref(global<value> place) : place_(place) {}
  global_ref(const global_ref&) = default;

  operator value() const { return read(); }
  value read() const {
    check();
    value found;
    read_place(place_.raw, &found, sizeof found);
    return found;
  }
  const global_ref& operator=(const value& written) const {
    static_assert(!std::is_const_v<T>, "a global_ptr<const T> is for reading");
    check();
    write_place(place_.raw, &written, sizeof written);
    return *this;
  }
  /// Assigns the value that `other` refers to.
  const global_ref& operator=(const global_ref& other) const { return *this = other.read(); }
  /// A member of the element: p[3].at(&body::mass) = 1.5.
  template <class M, class Of>
  auto at(M Of::* member) const {
    static_assert(std::is_standard_layout_v<value>, "of a plain struct");
    alignas(value) unsigned char shape[sizeof(value)];
    auto* const whole = reinterpret_cast<value*>(shape);
    const auto offset = reinterpret_cast<unsigned char*>(&(whole->*member)) - shape;
    const global<M> place{place_.raw + static_cast<terrane_global>(offset)};
    return global_ref<std::conditional_t<std::is_const_v<T>, const M, M>>(place);
  }
  /// The element has no address here: use the global_ptr.
  void operator&() const = delete;

 private:
  static constexpr void check() { require_wire_value<value>(); }
  global<value> place_;
};

template <class T>
class global_ptr {
 public:
  using value = std::remove_const_t<T>;

  global_ptr() = default;
  global_ptr(std::nullptr_t) {}
  global_ptr(global<value> place) : place_(place) {}
  /// Conversion to a pointer that only reads.
  operator global_ptr<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {place_};
  }
  /// Conversion for the split-phase operations, which do not wait.
  operator global<value>() const
    requires(!std::is_const_v<T>)
  {
    return place_;
  }

  std::uint32_t owner() const { return place_.owner(); }
  std::uint32_t node() const { return terrane_node_of(owner()); }
  explicit operator bool() const { return place_.raw != 0; }
  /// The address on the owner's node; elsewhere R-221.
  T* local() const { return place_.local(); }

  global_ref<T> operator*() const { return global_ref<T>(place_); }
  global_ref<T> operator[](std::ptrdiff_t index) const { return *(*this + index); }
  global_ptr operator+(std::ptrdiff_t elements) const { return {place_ + elements}; }
  global_ptr operator-(std::ptrdiff_t elements) const { return {place_ - elements}; }
  /// Elements between two places of one node.
  std::ptrdiff_t operator-(global_ptr other) const { return place_ - other.place_; }
  global_ptr& operator+=(std::ptrdiff_t elements) { return *this = *this + elements; }
  global_ptr& operator-=(std::ptrdiff_t elements) { return *this = *this - elements; }
  global_ptr& operator++() { return *this += 1; }
  global_ptr& operator--() { return *this -= 1; }
  /// Places of one owner are ordered by address.
  friend auto operator<=>(global_ptr one, global_ptr other) {
    return one.place_.raw <=> other.place_.raw;
  }
  friend bool operator==(global_ptr, global_ptr) = default;

  /// Read and write many elements at once, beginning with this one.
  void read(std::span<value> into) const {
    require_wire_value<value>();
    read_place(place_.raw, into.data(), into.size_bytes());
  }
  void write(std::span<const value> from) const {
    static_assert(!std::is_const_v<T>, "a global_ptr<const T> is for reading");
    require_wire_value<value>();
    write_place(place_.raw, from.data(), from.size_bytes());
  }
  /// Adds at the owner, atomically; returns the old value.
  std::int64_t fetch_add(std::int64_t more) const
    requires std::is_same_v<T, std::int64_t>
  {
    return add_at_place(place_.raw, more);
  }

 private:
  global<value> place_;
};
template <class T>
inline constexpr bool position_independent<global_ptr<T>> = true;

/// A global_ptr to something that stays on this processor.
template <class T>
global_ptr<T> to_global_ptr(T& here) {
  return {global<std::remove_const_t<T>>{terrane_to_global(&here)}};
}

}  // namespace terrane
