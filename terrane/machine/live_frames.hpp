// SPDX-License-Identifier: Apache-2.0
// live_frames.hpp: which activations are left when a run is over, and what they wait for.
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

/// An object that somebody waits for.
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

/// So many waiting fibers are named when a run is quiet before its end.
inline constexpr std::size_t waiting_listed = 20;

struct live_frames {
  std::uint64_t frames = 0;   // activations of the program's
  std::uint64_t objects = 0;  // locks, mailboxes, and what else was not freed
  std::map<std::string, std::uint64_t> by_function;
  std::vector<waiting_fiber> waiting;   // the first `most` of them
  std::vector<waiting_thread> threads;  // likewise
  std::vector<awaited_object> awaited;  // likewise
};

/// After the run: nothing may run meanwhile. A frame's slots are found by the fibers they point at.
live_frames find_live_frames(const std::vector<processor*>& processors, std::size_t most);

/// The named error of a run that is quiet but has not ended: lines for stderr.
std::string describe_deadlock(const live_frames&);
/// A line for stderr about what was left at a regular end; empty if nothing was.
/// severity: `warning` or `error`.
std::string describe_leftovers(const live_frames&, std::uint64_t tokens, std::string_view severity);

}  // namespace terrane
