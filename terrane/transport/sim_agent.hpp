// SPDX-License-Identifier: Apache-2.0
// sim_agent.hpp: what world sim keeps for each processor and each node.
#pragma once

#include "terrane/transport/sim.hpp"

namespace terrane {

/// A machine of so many processors is carried out in the caches.
inline constexpr std::size_t fits_in_caches = 256;

struct alignas(64) sim_world::agent {
  processor* self = nullptr;
  std::uint64_t clock = 0;
  std::uint64_t ran_until = 0;    // when its last turn that ran something ended
  std::uint64_t picoseconds = 0;  // charged but not yet a whole nanosecond
  std::uint32_t ticket = 0;       // of its only valid event; an event with an older ticket is void
  std::uint32_t number = 0;
  node_id home = 0;
  bool asleep = false, stopped = false, slow = false;
  parcel_list inbox{};
};

struct sim_world::site {
  parcel_list arrived{};
  std::uint64_t still_until = 0;
  std::uint64_t looks_at = timers::never;  // when its next tick event is due
};

}  // namespace terrane
