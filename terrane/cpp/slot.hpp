// SPDX-License-Identifier: Apache-2.0
// slot.hpp: counted synchronisation: slot, join, reply. A fiber can wait in no other way.
//
// Invariants  Slots lie in frames, and only their owner accesses them. A join holds one count for
//             the fiber that will await it, so it never fires before it is awaited.
// Cost        A decrement and a predictable branch. No atomics.
// Source      [EARTH-LB §2] (count, reset count); docs/threaded-c-rules.md §4.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// A slot anywhere in the machine (SPTR). Position-independent. A signal to one whose activation
/// has ended is R-202.
struct slot_ref {
  terrane_slot_ref raw = 0;
  void signal() const { terrane_signal(raw); }
};
template <>
inline constexpr bool position_independent<slot_ref> = true;

/// Where an answer goes, and the slot that is signalled when it has arrived.
template <class T>
struct reply {
  terrane_reply raw;

  /// Writes `value` at the owner, then signals. Call once per reply.
  [[gnu::always_inline]] void send(const T& value) const {
    if constexpr (std::is_scalar_v<T>) {
      terrane_processor* const here = terrane_here;
      terrane_frame* const frame = terrane_frame_at(here, raw.slot);
      if (TERRANE_UNLIKELY(!terrane_is_live_here(here, frame, raw.slot)))
        return send_far(raw, value);
      std::memcpy(raw.to, &value, sizeof(T));
      terrane_slot_decrement(here, frame, raw.slot);
    } else {
      terrane_reply_send(raw, &value, sizeof(T));
    }
  }

 private:
  /// Takes the value itself: the callers need no memory for it.
  [[gnu::cold, gnu::noinline]] static void send_far(terrane_reply reply, T value) {
    terrane_reply_far(terrane_here, reply.slot, reply.to, &value, sizeof(T));
  }
};
/// A reply without data: only the signal.
template <>
struct reply<void> {
  terrane_reply raw;
  [[gnu::always_inline]] void send() const { terrane_signal(raw.slot); }
};
template <class T>
inline constexpr bool position_independent<reply<T>> = true;

/// A slot with a count: declare it in a threaded function with on<&F::fiber>(count [, reset]).
class slot : public terrane_slot {
 public:
  slot(const slot&) = delete;
  slot& operator=(const slot&) = delete;

  /// Gives an unarmed slot its counts (INIT_SYNC). reset 0: one-shot.
  void arm(std::int32_t new_count, std::int32_t new_reset) {
    count = new_count;
    reset = new_reset;
  }
  /// `more` further signals must come before it fires (INCR_SYNC); while count > 0.
  void expect(std::int32_t more) { count += more; }

 private:
  template <class>
  friend class threaded;
  slot(const terrane_fiber& fires, std::int32_t first, std::int32_t again)
      : terrane_slot{first, {again}, &fires} {}
};

/// A slot that counts by itself: each into() adds one reply to wait for. Its fiber runs once the
/// join is awaited and all replies have arrived, even if there were none.
class join : public terrane_slot {
 public:
  join(const join&) = delete;
  join& operator=(const join&) = delete;

  /// The place for one answer, in memory of this processor (usually a member of the frame).
  template <class T>
  [[gnu::always_inline]] reply<T> into(T& where) {
    static_assert(wire_value<T>, "an answer crosses nodes: its type must be position-independent");
    return {terrane_join_into(this, &where)};
  }
  /// A signal without data.
  [[gnu::always_inline]] reply<void> into() { return {terrane_join_into(this, nullptr)}; }
  /// Adds one signal that comes by other means than a reply (a put, a get, a timer).
  [[gnu::always_inline]] slot_ref one() { return {terrane_join_into(this, nullptr).slot}; }

 private:
  template <class>
  friend class threaded;
  [[gnu::always_inline]] join(const terrane_fiber& fires, const terrane_frame* frame)
      : terrane_slot{1, {}, &fires} {
    index = static_cast<std::uint32_t>(terrane_slot_bits(reinterpret_cast<const char*>(this) -
                                                         reinterpret_cast<const char*>(frame)));
  }
};

}  // namespace terrane
