// SPDX-License-Identifier: Apache-2.0
// place.hpp: reading the 64-bit names of slots and data (terrane.h gives their layout).
#pragma once

#include <cstdint>

#include "terrane/terrane.h"

namespace terrane {

using processor_id = std::uint32_t;
using node_id = std::uint32_t;

inline processor_id processor_of(terrane_slot_ref slot) { return static_cast<std::uint16_t>(slot); }

/// The name of the frame that a slot belongs to.
inline terrane_slot_ref frame_of(terrane_slot_ref slot) {
  return slot & ~terrane_slot_ref{TERRANE_NAME_SLOTS};
}

/// The name of the first activation in the frame at `offset` bytes in that processor's arena.
/// Generations start at 1, so that no name is zero.
inline terrane_slot_ref first_frame_name(processor_id processor, std::uint64_t offset) {
  return TERRANE_GENERATION_STEP | offset << 20 | processor;
}

}  // namespace terrane
