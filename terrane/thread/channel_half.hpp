// SPDX-License-Identifier: Apache-2.0
// channel_half.hpp: the state of one end of a channel, and the news that ends send one another.
//
// Layout      A half (a channel control block) lies in the heap of the thread that owns the end,
//             and moves with it; it holds addresses in that heap and in that thread's stack alone.
//             Of an end that nobody owns it lies in the channel's record at home
//             (channel_home.hpp).
// Invariants  Only the processor where its thread is touches it.
// Source      [TESTBED §2.2.2] (CCBs); channel_protocol.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "terrane/thread/thread_block.hpp"
#include "terrane/thread/whereabouts.hpp"

namespace terrane {

struct alt_guard;

enum channel_way : std::uint32_t { outwards = 0, inwards = 1 };
inline channel_way other(channel_way one) { return one == outwards ? inwards : outwards; }

/// An end is named by its channel's frame; the slot bits say which of the two it is.
inline terrane_slot_ref name_of_end(terrane_slot_ref channel, channel_way way) {
  return channel | terrane_slot_ref{way + 1u} << 16;
}
inline terrane_slot_ref channel_of(terrane_slot_ref end) { return frame_of(end); }
inline bool goes(terrane_slot_ref end, channel_way way) {
  return (end & TERRANE_NAME_SLOTS) == terrane_slot_ref{way + 1u} << 16;
}

struct channel_half {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  terrane_slot_ref channel;
  channel_way way;
  bool announced = false;     // the partner, or the home, knows of this stay
  stay here;                  // of this end
  stay partner;               // of the other, as last heard
  std::uint64_t count = 0;    // of items that are over
  std::uint64_t offered = 0;  // the partner waits at `partner` for item offered - 1; 0: it does not
  std::uint64_t ends_at = never;                    // the partner closed it after so many items
  channel_half *next = nullptr, *before = nullptr;  // of the ends of its owner
  alt_guard* guard = nullptr;                       // the choice that waits for it, too
  char text[40];                                    // what waits for it waits for, in reports

  channel_half(terrane_slot_ref of, channel_way which);
  /// The partner waits elsewhere for the item that is next.
  bool is_asked() const { return offered == count + 1; }
  /// The partner has closed it, and all items are over.
  bool is_at_end() const { return way == inwards ? ends_at == count : ends_at != never; }
};
static_assert(std::is_trivially_copyable_v<channel_half>);

/// A thread that waits in send or receive; on its stack.
struct channel_wait {
  terrane_slot_ref slot;
  char* item;            // where the item is, or goes
  std::size_t bytes;     // its size; of a receiver the most that it takes, then the item's
  stay told{};           // where the partner was asked for the item
  bool is_over = false;  // the item has been handed over; else the channel was closed
};

/// What one end tells the other.
struct channel_news {
  enum kind : std::uint8_t {
    advert,  // a receiver in a choice: it is there
    focus,   // a sender waits there with that item
    rtr,     // a receiver waits there for that item
    closed   // no item comes, or is taken, after that many
  };
  terrane_slot_ref channel;
  std::uint64_t count;
  stay from, aimed;
  kind what;
  channel_way to;

  bool is_newer_than(const channel_news& other) const {
    if ((what == closed) != (other.what == closed)) return what == closed;
    if (from.move != other.from.move) return from.move > other.from.move;
    if (count != other.count) return count > other.count;
    return what >= other.what;
  }
};

/// What the end with that half tells the other.
inline channel_news news_of(const channel_half& half, channel_news::kind what) {
  return {half.channel, half.count, half.here, half.partner, what, other(half.way)};
}

}  // namespace terrane
