// SPDX-License-Identifier: Apache-2.0
// live_frames.hpp: finds the activations that are left when a run is over, and what they wait for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/core/processor.hpp"

namespace terrane {

/// A fiber that waits: one slot of one live frame.
struct waiting_fiber {
  processor_id processor = 0;
  node_id node = 0;
  std::string function, fiber;
  std::string where;       // file:line of the slot's declaration; empty: not known
  std::int32_t count = 0;  // signals still to come
  std::int32_t reset = 0;
  bool armed = true;
};

/// An object, such as a lock, that fibers or threads wait for.
struct awaited_object {
  processor_id processor = 0;
  node_id node = 0;
  std::string kind;
  std::size_t waiting = 0;
};

/// A thread that is blocked.
struct waiting_thread {
  processor_id processor = 0;
  node_id node = 0;
  std::string name, waits_for;
};

/// How many waiting fibers a deadlock message names.
inline constexpr std::size_t waiting_listed = 20;

struct live_frames {
  std::uint64_t frames = 0;   // activations of the program
  std::uint64_t objects = 0;  // objects that were not freed, such as locks and mailboxes
  std::map<std::string, std::uint64_t> by_function;
  std::vector<waiting_fiber> waiting;   // the first `most` of them
  std::vector<waiting_thread> threads;  // likewise
  std::vector<awaited_object> awaited;  // likewise
};

/// Call it after the run: no processor may run meanwhile. It finds a frame's slots by the fibers
/// that they point to.
live_frames find_live_frames(const std::vector<processor*>& processors, std::size_t most);

/// The error R-250 of a run that is quiescent but has not ended: lines for stderr.
std::string describe_deadlock(const live_frames&);
/// A line for stderr about what was left at a regular end; empty if nothing was left.
/// severity: `warning` or `error`.
std::string describe_leftovers(const live_frames&, std::uint64_t tokens, std::string_view severity);

}  // namespace terrane
