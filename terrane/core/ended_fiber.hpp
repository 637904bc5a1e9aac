// SPDX-License-Identifier: Apache-2.0
// ended_fiber.hpp: names the fiber whose slot a late signal or answer was for, while that is known.
#pragma once

#include <string>

#include "terrane/core/place.hpp"

namespace terrane {

/// Returns `; its fiber was f::N (file:line)` if the slot belonged to an activation that has ended
/// and whose frame is free and has not been used again: then the slot is unchanged. Else "".
inline std::string of_ended_fiber(terrane_processor& here, terrane_slot_ref slot) {
  terrane_frame* frame = terrane_frame_at(&here, slot);
  const bool lies_free = (reinterpret_cast<std::uintptr_t>(frame->function) & 1) != 0;
  if (!lies_free || frame->name != frame_of(slot) + TERRANE_GENERATION_STEP) return "";
  const terrane_fiber* fiber = terrane_slot_in(frame, slot)->fiber;
  if (!fiber || !fiber->function) return "";
  std::string said = std::string("; its fiber was ") + fiber->function->name + "::" + fiber->name;
  if (fiber->file)
    said += std::string(" (") + fiber->file + ":" + std::to_string(fiber->line) + ")";
  return said;
}

}  // namespace terrane
