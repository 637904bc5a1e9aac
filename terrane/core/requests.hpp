// SPDX-License-Identifier: Apache-2.0
// requests.hpp: the heads of the split-phase messages, as they travel.
#pragma once

#include <cstdint>

#include "terrane/core/balancer.hpp"
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
  std::uint64_t bytes : 63;
  std::uint64_t unchanging : 1;  // the source stays as it is until `done`
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
  std::uint64_t kind;    // its entry
  std::uint32_t what;
  std::uint16_t record_bytes;
  bool by_place;
};

/// A threaded function to activate; the arguments follow. See entries.hpp.
struct function_entry {
  std::uint64_t entry;
};

/// The bytes that follow go to `to`; then a function of one word is activated with `argument`.
struct carry_request {
  std::uint64_t entry;
  terrane_global to;
  std::uint64_t argument;
};

/// Of one node's balancer to another's.
struct note_request {
  node_id from;
  std::int32_t load;
  note what;
};

/// A token that changes nodes; its arguments follow.
struct token_request {
  std::uint64_t entry;
  node_id from;
  load_hint hint;
  std::uint32_t unused = 0;
};

}  // namespace terrane
