// SPDX-License-Identifier: Apache-2.0
// requests.hpp: the heads of the split-phase messages, as they travel.
#pragma once

#include <cstdint>

#include "terrane/core/balancer.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

struct object_kind;

/// The bytes that follow go to `to`; then `done` is signalled. 0 means no slot.
struct put_request {
  terrane_global to;
  terrane_slot_ref done;
};

/// The bytes at `from` go to `to`, on any processor; then `done` is signalled.
struct get_request {
  terrane_global from, to;
  std::uint64_t bytes : 63;
  std::uint64_t unchanging : 1;  // the source does not change until `done` is signalled
  terrane_slot_ref done;
};

/// Scatter: the elements that follow, packed, are spread out at `to`. Gather: elements are
/// collected at `from`.
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

/// An operation on an object. Its record and then its body follow.
struct operate_request {
  std::uint64_t target;  // the object's name, or the place where the name is stored
  std::uint64_t kind;    // the entry of its kind (entries.hpp)
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

/// A note from one node's balancer to another's.
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
