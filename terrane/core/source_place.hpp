// SPDX-License-Identifier: Apache-2.0
// source_place.hpp: the line of a program that a message was sent for, as a number that the message
// carries.
//
// Invariants  Source places are made by Threaded-C and lie in the executable. Their number is their
//             distance from its start, which is the same in every process of a run.
#pragma once

#include <cstdint>

#include "terrane/c/source_place.h"
#include "terrane/core/entries.hpp"

namespace terrane {

using place_number = std::uint32_t;
inline constexpr unsigned place_number_bits = 27;  // covers an executable's first GiB
inline constexpr place_number no_place = 0;        // no place lies where the executable begins

/// start: executable_start().
inline place_number number_of(const terrane_source_place& at, std::uint64_t start) {
  const std::uint64_t distance =
      (reinterpret_cast<std::uintptr_t>(&at) - start) / alignof(terrane_source_place);
  return distance >> place_number_bits == 0 ? static_cast<place_number>(distance) : no_place;
}

/// Null for no_place.
inline const terrane_source_place* source_place_at(place_number number) {
  if (number == no_place) return nullptr;
  return reinterpret_cast<const terrane_source_place*>(
      executable_start() + std::uint64_t{number} * alignof(terrane_source_place));
}

}  // namespace terrane
