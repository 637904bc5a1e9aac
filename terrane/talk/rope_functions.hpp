// SPDX-License-Identifier: Apache-2.0
// rope_functions.hpp: functions that messages of collectives name by how far they lie from a place
// in the code, which is the same in all processes of a run.
#pragma once

#include <cstdint>

#include "terrane/talk/rope_desk.hpp"

namespace terrane {

inline const void* code_anchor() { return reinterpret_cast<const void*>(&distance_of); }

template <class Function>
Function function_at_distance(std::int64_t distance) {
  if (distance == 0) return nullptr;
  return reinterpret_cast<Function>(reinterpret_cast<std::intptr_t>(code_anchor()) + distance);
}

inline void begin_pieces(rope_pieces& pieces, const collective& how, std::size_t members) {
  const bool combines = how.what == collective::reduction;
  pieces.begin(static_cast<std::uint32_t>(members), how.bytes,
               combines ? function_at_distance<combine_function>(how.function) : nullptr);
}

}  // namespace terrane
