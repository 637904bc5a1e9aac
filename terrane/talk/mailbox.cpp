// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mailbox.hpp"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/reach.hpp"

namespace terrane {

namespace {

[[noreturn, gnu::cold]] void too_large(std::size_t item, std::size_t memory) {
  fail(run_time_error::mailbox_item_size, "an item of %zu bytes was retrieved into %zu bytes", item,
       memory);
}

class mailbox_object final : public object {
 public:
  static constexpr char called[] = "mailbox";
  static constexpr run_time_error gone = run_time_error::mailbox_freed;

  explicit mailbox_object(terrane_slot_ref arrived) : arrived_(arrived) {}

  /// An item has come.
  void operate(const operation_request& asked) override {
    const auto* bytes = static_cast<const unsigned char*>(asked.body.data);
    items_.emplace_back(bytes, bytes + asked.body.size);
    signal_if(arrived_);
  }
  std::size_t items() const { return items_.size(); }
  std::size_t next_bytes() const { return items_.empty() ? 0 : items_.front().size(); }
  std::size_t take(void* to) {
    const std::size_t bytes = next_bytes();
    if (bytes == 0) return 0;
    std::memcpy(to, items_.front().data(), bytes);
    items_.pop_front();
    return bytes;
  }

 private:
  std::deque<std::vector<unsigned char>> items_;
  const terrane_slot_ref arrived_;
};

/// Only the owner may look into it.
mailbox_object& own(terrane_mailbox box) {
  if (processor_of(box.object) != here().number)
    fail(run_time_error::mailbox_not_local, "an item was retrieved from a mailbox of processor %u",
         processor_of(box.object));
  object* found = find_object(kind_of<mailbox_object>::kind, box.object);
  if (!found)
    fail(run_time_error::mailbox_freed, "a mailbox was used that was freed, or never made");
  return static_cast<mailbox_object&>(*found);
}

}  // namespace

void mailbox::wrong_size(std::size_t item, std::size_t memory) { too_large(item, memory); }

}  // namespace terrane

using namespace terrane;

void terrane_mailbox_new(terrane_mailbox* box, terrane_slot_ref arrived) {
  box->object = make_object<mailbox_object>(arrived).name();
}

void terrane_mailbox_drop(terrane_global box, const void* item, size_t bytes) {
  if (box == 0)
    fail(run_time_error::mailbox_freed, "an item was dropped into no mailbox: a null place");
  require_place(box, "the mailbox of an item");
  operate_at_place(box, kind_of<mailbox_object>::known(), 0, {item, bytes});
}

size_t terrane_mailbox_retrieve(terrane_mailbox box, void* to, size_t most) {
  mailbox_object& mine = own(box);
  if (mine.next_bytes() > most) too_large(mine.next_bytes(), most);
  return mine.take(to);
}

size_t terrane_mailbox_retrieve_address(terrane_mailbox box, void** to) {
  mailbox_object& mine = own(box);
  *to = nullptr;
  if (mine.items() == 0) return 0;
  *to = std::malloc(mine.next_bytes());
  if (!*to)
    fail(run_time_error::out_of_memory, "no memory for an item of %zu bytes", mine.next_bytes());
  return mine.take(*to);
}

size_t terrane_mailbox_items(terrane_mailbox box) { return own(box).items(); }
size_t terrane_mailbox_next_bytes(terrane_mailbox box) { return own(box).next_bytes(); }
void terrane_mailbox_free(terrane_mailbox box) { free_object(own(box)); }
