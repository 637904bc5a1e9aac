// SPDX-License-Identifier: Apache-2.0
// transfer.hpp: one send, receive or probe that is under way.
//
// Layout      It lies on the stack of the thread that waits for it, or in that thread's heap
//             (request.hpp); a receive also stands in a bucket of the thread's letter box.
// Invariants  Only the processor where its thread is touches it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/talk/call_place.hpp"
#include "terrane/thread/thread_id.hpp"

namespace terrane {

/// Which message was received or found.
struct status {
  thread_id source;
  int tag = 0;
  std::size_t bytes = 0;

  /// How many elements of that type it has.
  template <class T>
  std::size_t count() const {
    return bytes / sizeof(T);
  }
};

/// What stands for every sender, and for every tag, in a receive or a probe.
inline constexpr thread_id any_source{~terrane_slot_ref{0}};
inline constexpr int any_tag = -1;

/// What a receive is chosen by.
struct letter_key {
  terrane_slot_ref from;
  std::uint64_t context;
  std::uint32_t tag;
};

/// Several transfers that one thread waits for.
struct transfer_wait {
  std::uint32_t needed;
  terrane_slot_ref slot = 0;
};

struct transfer {
  enum kind : std::uint8_t { sends, receives, probes, collects };
  static constexpr std::uint32_t every_tag = static_cast<std::uint32_t>(any_tag);

  kind what;
  bool is_done = false;
  bool is_fetching = false;       // its bytes are under way
  bool is_buffer = false;         // `buffer` is a message_buffer: to be given away, or filled
  processor_id fetched_from = 0;  // while is_fetching
  terrane_slot_ref peer;          // whom it sends to, or receives from
  std::uint32_t tag, type = 0;
  std::uint64_t context = 0;
  void* buffer = nullptr;
  std::size_t bytes = 0;  // its size; of a receive the most that it takes
  status result{};
  transfer_wait* waiter = nullptr;
  terrane_slot_ref told = 0;  // the slot to signal; then nobody else holds this transfer
  terrane_slot_ref owner = 0;
  std::uint64_t order = 0;  // of receives, as they were posted
  transfer *next = nullptr, *before = nullptr;
  struct transfer_list* in = nullptr;
  call_place where;

  bool takes_any_source() const { return peer == any_source.name; }
  bool is_wild() const { return takes_any_source() || tag == every_tag; }
  /// Of one without wildcards: it takes a message like that.
  bool is_for(const letter_key& like) const {
    return peer == like.from && tag == like.tag && context == like.context;
  }
  /// A cancelled thread need not wait for it.
  bool may_be_withdrawn() const { return what == receives || what == probes; }
  const char* verb() const;
};

/// The rope that it belongs to; 0: none.
inline terrane_slot_ref rope_of(const transfer& one) {
  return one.context & ~std::uint64_t{TERRANE_NAME_SLOTS};
}

struct transfer_list {
  transfer *first = nullptr, *last = nullptr;

  void add(transfer& one) {
    one.in = this;
    one.next = nullptr;
    one.before = last;
    (last ? last->next : first) = &one;
    last = &one;
  }
  static void remove(transfer& one) {
    transfer_list& list = *one.in;
    (one.before ? one.before->next : list.first) = one.next;
    (one.next ? one.next->before : list.last) = one.before;
    one.in = nullptr;
  }
};

}  // namespace terrane
