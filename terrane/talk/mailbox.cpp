// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mailbox.hpp"

#include <cstring>

#include "terrane/core/failure.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {

std::size_t mailbox::retrieve_bytes(void* to, std::size_t most) {
  if (here().number != owner_)
    fail(run_time_error::mailbox_not_local, "an item was retrieved from a mailbox of processor %u",
         owner_);
  if (items_.empty()) return 0;
  const std::vector<unsigned char>& next = items_.front();
  const std::size_t bytes = next.size();
  if (bytes > most) wrong_size(bytes, most);
  std::memcpy(to, next.data(), bytes);
  items_.pop_front();
  return bytes;
}

void mailbox::wrong_size(std::size_t item, std::size_t memory) {
  fail(run_time_error::mailbox_item_size, "an item of %zu bytes was retrieved into %zu bytes", item,
       memory);
}

void mailbox::receive(processor_id, bytes_view what) {
  const auto* bytes = static_cast<const unsigned char*>(what.data);
  items_.emplace_back(bytes, bytes + what.size);
  arrived_.signal();
}

void drop_in_bytes(global<mailbox> box, const void* item, std::size_t bytes) {
  processor& self = here();
  if (box.owner() >= self.processors())
    fail(run_time_error::no_such_processor,
         "an item was dropped into a mailbox on processor %u of a machine of %u", box.owner(),
         self.processors());
  if (!box)
    fail(run_time_error::mailbox_freed, "an item was dropped into no mailbox: a null place");
  // The address that travels is that of the receiver within the mailbox.
  auto* target = static_cast<receiver*>(static_cast<mailbox*>(terrane_address_in(box.raw)));
  const deliver_request head{static_cast<terrane_global>(box.owner()) << 50 |
                             reinterpret_cast<std::uintptr_t>(target)};
  if (box.owner() != self.number) {
    self.send(box.owner(), entry::deliver, {&head, sizeof head}, {item, bytes});
    return;
  }
  if (!target->alive())
    fail(run_time_error::mailbox_freed, "an item was dropped into a mailbox that was freed");
  target->receive(self.number, {item, bytes});
}

}  // namespace terrane
