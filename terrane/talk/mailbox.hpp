// SPDX-License-Identifier: Apache-2.0
// mailbox.hpp: a queue that any processor drops items into and its owner empties; each item signals
// a slot.
//
//   mailbox box{ref(arrived)};                       // in a frame
//   drop_in(to_global(box), item);                   // anywhere
//   if (board item; box.retrieve(item)) ...          // in the fiber that `arrived` makes ready
//
// Invariants  Items of one sender come out in the order they were dropped in. Retrieval is local
//             an item for a mailbox that was freed is R-231.
// Source      [EARTH-SMP §2, Fig. 3]; docs/threaded-c-rules.md §6.
#pragma once

#include <cstddef>

#include "terrane/c/mailbox.h"
#include "terrane/cpp/global.hpp"

namespace terrane {

class mailbox {
 public:
  /// Signals `arrived` for every item.
  explicit mailbox(slot_ref arrived) { terrane_mailbox_new(&raw_, arrived.raw); }
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;
  /// When a machine is destroyed no processor runs, and its remaining objects go with it.
  ~mailbox() {
    if (terrane_is_processor()) terrane_mailbox_free(raw_);
  }

  /// Items waiting.
  std::size_t items() const { return terrane_mailbox_items(raw_); }
  /// Bytes of the next item; 0 if there is none.
  std::size_t next_bytes() const { return terrane_mailbox_next_bytes(raw_); }

  /// RETRIEVE_ITEM: moves the next item to `to`; its bytes, or 0 if there is none. R-230 elsewhere.
  std::size_t retrieve_bytes(void* to, std::size_t most) {
    return terrane_mailbox_retrieve(raw_, to, most);
  }
  /// False if there is none. An item of another size is misuse and ends the run.
  template <wire_value T>
  bool retrieve(T& to) {
    if (const std::size_t bytes = next_bytes(); bytes != 0 && bytes != sizeof(T))
      wrong_size(bytes, sizeof(T));
    return retrieve_bytes(&to, sizeof(T)) != 0;
  }

 private:
  [[noreturn, gnu::cold]] static void wrong_size(std::size_t item, std::size_t memory);

  terrane_mailbox raw_;
};

/// DROP_IN: the bytes are copied before this returns. bytes >= 1.
inline void drop_in_bytes(global<mailbox> box, const void* item, std::size_t bytes) {
  static_assert(sizeof(mailbox) == sizeof(terrane_mailbox));
  terrane_mailbox_drop(box.raw, item, bytes);
}
template <wire_value T>
void drop_in(global<mailbox> box, const T& item) {
  drop_in_bytes(box, &item, sizeof(T));
}

}  // namespace terrane
