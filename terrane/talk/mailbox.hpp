// SPDX-License-Identifier: Apache-2.0
// mailbox.hpp: a queue that any processor drops items into and its owner empties; a slot hears of
// each.
//
//   mailbox box{ref(arrived)};                       // in a frame
//   drop_in(to_global(box), item);                   // anywhere
//   if (board item; box.retrieve(item)) ...          // in the fiber that `arrived` makes ready
//
// Invariants  Items of one sender come out in the order they were dropped in. Retrieval is local
//             an item for a mailbox that was freed is R-231.
// Source      001_b2fb519ce5769918.txt section 2, Fig. 3; spec: language section 6.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "terrane/core/global.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

class mailbox final : public receiver {
 public:
  /// Signals `arrived` for every item.
  explicit mailbox(slot_ref arrived) : arrived_(arrived), owner_(terrane_here->number) {}

  /// Items waiting.
  std::size_t items() const { return items_.size(); }
  /// Bytes of the next item; 0 if there is none.
  std::size_t next_bytes() const { return items_.empty() ? 0 : items_.front().size(); }

  /// RETRIEVE_ITEM: moves the next item to `to`; its bytes, or 0 if there is none. R-230 elsewhere.
  std::size_t retrieve_bytes(void* to, std::size_t most);
  /// False if there is none. An item of another size is misuse and ends the run.
  template <wire_value T>
  bool retrieve(T& to) {
    if (const std::size_t bytes = next_bytes(); bytes != 0 && bytes != sizeof(T))
      wrong_size(bytes, sizeof(T));
    return retrieve_bytes(&to, sizeof(T)) != 0;
  }

  void receive(processor_id from, bytes_view what) override;

 private:
  [[noreturn, gnu::cold]] static void wrong_size(std::size_t item, std::size_t memory);

  std::deque<std::vector<unsigned char>> items_;
  slot_ref arrived_;
  const processor_id owner_;
};

/// DROP_IN: the bytes are copied before this returns. bytes >= 1.
void drop_in_bytes(global<mailbox> box, const void* item, std::size_t bytes);
template <wire_value T>
void drop_in(global<mailbox> box, const T& item) {
  drop_in_bytes(box, &item, sizeof(T));
}

}  // namespace terrane
