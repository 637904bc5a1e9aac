// SPDX-License-Identifier: Apache-2.0
// sim_agent.hpp: processors and nodes as the events of world sim see them.
#pragma once

#include "terrane/transport/sim.hpp"

namespace terrane {

struct sim_world::agent {
  processor* self = nullptr;
  std::uint64_t clock = 0;
  std::uint64_t ran_until = 0;    // its last turn that found something to run ended then
  std::uint64_t picoseconds = 0;  // charged, less than a nanosecond
  std::uint32_t ticket = 0;       // of its one valid event; an event with an older one is void
  std::uint32_t number = 0;
  node_id home = 0;
  bool asleep = false, stopped = false, slow = false;
  parcel_list inbox{};
};

struct sim_world::site {
  parcel_list arrived{};
  std::uint64_t still_until = 0;
  std::uint64_t looks_at = timers::never;  // the next event of its clock
};

}  // namespace terrane
