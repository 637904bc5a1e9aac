// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/local.hpp"

#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

local_world::local_world(std::uint32_t processors, crew_options options)
    : local_world(processors, std::move(options), map_places(processors)) {}

local_world::local_world(std::uint32_t processors, crew_options options, own_places memory)
    : world({.wire = *this, .crew = crew_, .neighbours = this}),
      rings(crew_, nullptr, memory.get(), processors),
      memory_(std::move(memory)),
      crew_(std::move(options), parkers(memory_.get()), monotonic_ns) {
  TERRANE_CHECK(memory_);
  make_places(memory_.get(), processors);
  crew_.add(*this);
}

/// Large messages that nobody took before the end still own their blocks.
local_world::~local_world() { drop_large_left(); }

void local_world::post_note(processor* mover, node& from, node_id to, const note& what, int load) {
  nodes_[to]->policy().note_arrived(mover, from.number(), what, load);
}

void local_world::post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                             const load_hint& hint) {
  nodes_[to]->policy().token_arrived(mover, from.number(), token, hint);
}

std::optional<int> local_world::look(node_id other) { return nodes_[other]->exchange().queued(); }

bool local_world::take_oldest(processor*, node_id from, terrane_token& token) {
  return nodes_[from]->exchange().take_to_leave(token);
}

bool local_world::fetch(processor_id, const void* from, void* to, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return true;
}

void local_world::rouse(processor_id to) { all_[to]->notice(); }

void local_world::begin(std::span<processor* const> processors) {
  all_ = processors;
  rings::begin(processors);
}

}  // namespace terrane
