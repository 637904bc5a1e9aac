// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/planted_bugs.hpp"

#include <cstring>

#include "terrane/core/requests.hpp"

namespace terrane {

namespace {

/// True if the slot's fiber is queued as ready. Under planted_bug::late_reset the slot is then not
/// reset yet.
bool fiber_waits(const processor& self, terrane_frame* frame, terrane_slot_ref slot) {
  const terrane_slot* const at = terrane_slot_in(frame, slot);
  for (std::uint32_t i = self.ready_head; i != self.ready_tail; ++i) {
    const terrane_ready& waits = self.ready[i & self.ready_mask];
    if (waits.frame == frame_of(slot) && waits.fiber == at->fiber) return true;
  }
  return false;
}

}  // namespace

bool forgets_signal(planted_bug bug, fault_plan& dice, processor& self, parcel& next, bool alone) {
  terrane_slot_ref slot = 0;
  if (next.message_kind == entry::signal) std::memcpy(&slot, next.data(), sizeof slot);
  auto* put = reinterpret_cast<put_request*>(next.data());
  if (next.message_kind == entry::put) slot = put->done;
  if (slot == 0) return false;
  const bool lost = bug == planted_bug::lost_signal && !alone && dice.strikes();
  const bool late = bug == planted_bug::late_reset && processor_of(slot) == self.number &&
                    fiber_waits(self, terrane_frame_at(&self, slot), slot);
  if (!lost && !late) return false;
  if (next.message_kind == entry::put) {
    put->done = 0;
    return false;
  }
  self.quiescence().received();
  return true;
}

}  // namespace terrane
