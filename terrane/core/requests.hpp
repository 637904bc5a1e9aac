// SPDX-License-Identifier: Apache-2.0
// requests.hpp: the heads of the split-phase messages, as they travel.
#pragma once

#include <cstdint>

#include "terrane/core/place.hpp"

namespace terrane {

struct object_kind;

/// The bytes that follow go to `to`; then `done` is signalled. No slot: 0.
struct put_request {
  terrane_global to;
  terrane_slot_ref done;
};

/// The bytes at `from` go to `to`, anywhere; then `done` is signalled.
struct get_request {
  terrane_global from, to;
  std::uint64_t bytes;
  terrane_slot_ref done;
};

/// Elements to spread out at `to` (they follow, packed), or to collect at `from`.
struct strided_request {
  terrane_global from, to;
  terrane_stride stride;
  terrane_slot_ref done;
};

struct add_request {
  std::int64_t value;
  terrane_global at, old;
  terrane_slot_ref done;
};

struct allocate_request {
  std::uint64_t bytes;
  terrane_global result;
  terrane_slot_ref done;
};

struct release_request {
  terrane_global place;
};

/// What follows, a record and then a body, is asked of an object.
struct operate_request {
  std::uint64_t target;  // its name, or the place where that lies
  const object_kind* kind;
  std::uint32_t what;
  std::uint16_t record_bytes;
  bool by_place;
};

}  // namespace terrane
