// SPDX-License-Identifier: Apache-2.0
// lent.hpp: data of a thread that the branches of its par read, wherever they are.
//
//   std::vector<double> table = ...;
//   const auto shared = lend(table);                     // a small value, as an end is
//   par(on(1, [=] { use(shared[7]); }), [&] { table[7] = 2; shared.renew(); });
//
// Purpose     Copy on reference: a branch reads in place where it has the same memory as the
//             owner; elsewhere blocks of 1,024 bytes are fetched when they are first read, and kept
//             once per node.
// Invariants  Only the owner writes, in its own data. After renew() has returned, nobody reads what
//             was there before. While the owner writes, who reads gets old or new elements: agree
//             over a channel when that matters. The owner's thread does not move meanwhile.
// Ends        With the owner's next par, or with its thread. Use afterwards is R-287.
// Cost        In place: a lookup and a copy. The first read of a block: two messages.
// Source      [TESTBED §2.2.2] (copy on reference).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// A vector, array or span.
template <class R>
concept lendable = requires(const R& data) { std::span(data); };

/// For lent<T>. The loan belongs to the calling thread.
terrane_slot_ref lend_bytes(const void* data, std::size_t bytes);
/// Copies that part of what is lent; the thread may wait. R-287 if it is no longer lent.
void read_lent(terrane_slot_ref loan, std::size_t from, void* into, std::size_t bytes);
/// Every node forgets what it has read. R-287 on another processor than the owner's.
void renew_lent(terrane_slot_ref loan);
/// Ends all loans of that thread, which runs.
void end_loans(thread_block& owner);
[[noreturn, gnu::cold]] void beyond_lent(std::size_t first, std::size_t count, std::size_t size);

/// One element, as it was when it was read.
template <class T>
class lent_element {
 public:
  explicit lent_element(const T& read) : value_(read) {}
  operator const T&() const { return value_; }
  const T* operator->() const { return &value_; }
  template <class V>
  void operator=(const V&) const {
    static_assert(
        !sizeof(V),
        "what is lent is for reading: its owner writes in its own data, and says renew()");
  }

 private:
  const T value_;
};

/// What a thread has lent: elements of T. The value may be copied, captured and sent.
template <class T>
class lent {
 public:
  lent() = default;
  std::size_t size() const { return size_; }
  /// R-287 if there is no such element.
  lent_element<T> operator[](std::size_t i) const {
    alignas(T) unsigned char room[sizeof(T)];
    read_into(i, room, 1);
    return lent_element<T>(*reinterpret_cast<const T*>(room));
  }
  /// Reads many elements at once, beginning with that one.
  void read(std::size_t first, std::span<T> into) const {
    read_into(first, into.data(), into.size());
  }
  /// Called by a thread on the owner's processor, when it has written: after that nobody reads what
  /// was there before.
  void renew() const { renew_lent(loan_); }

 private:
  template <lendable R>
  friend auto lend(const R& data);
  lent(terrane_slot_ref loan, std::size_t size) : loan_(loan), size_(size) {}
  void read_into(std::size_t first, void* into, std::size_t count) const {
    if (TERRANE_UNLIKELY(first > size_ || count > size_ - first)) beyond_lent(first, count, size_);
    read_lent(loan_, first * sizeof(T), into, count * sizeof(T));
  }

  terrane_slot_ref loan_ = 0;
  std::uint64_t size_ = 0;
};
template <class T>
inline constexpr bool position_independent<lent<T>> = true;

/// Lends a vector, array or span of the calling thread, which must stay as it is until the next
/// par of this thread has ended.
template <lendable R>
auto lend(const R& data) {
  const std::span elements(data);
  using element = std::remove_const_t<typename decltype(elements)::element_type>;
  require_wire_value<element>();
  return lent<element>(lend_bytes(elements.data(), elements.size_bytes()), elements.size());
}

}  // namespace terrane
