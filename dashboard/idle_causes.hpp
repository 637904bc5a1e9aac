// SPDX-License-Identifier: Apache-2.0
// idle_causes.hpp: why processors were idle, moment by moment.
//
// Method      The events of all sources pass in order of time. Kept is, for each node, how many of
//             its processors are idle and asleep, how many tokens it holds, how many are on their
//             way to it, how many messages are (from its question on, if it asked), how many fibers
//             are ready, and whether its balancer waits for an answer or was refused. From these
//             each moment of each idle processor gets one cause; so the causes add up to the idle
//             time.
// Refused     A node that was asked by a note answers with a token, or with a note of its own.
// Limits      Needs the classes time, token, fiber, balance, ready and message. That another
//             program took a core is not seen. On machines of more than 64 nodes a fiber that
//             becomes ready is seen by other nodes at their next own event. Tokens of a node are
//             those queued and not yet begun. Futures that are joined in place count as queued
//             until all processors of the node are idle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dashboard/activity.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

enum class idle_cause : std::uint8_t {
  no_work,
  pinned,
  not_asked,
  asked,
  refused,
  token_comes,
  data_comes,
  not_woken
};
inline constexpr std::size_t idle_cause_count = 8;
inline constexpr const char* idle_cause_names[] = {
    "no work existed anywhere",
    "work elsewhere that may not move: ready fibers of activations that have begun",
    "work elsewhere, not asked for yet",
    "work elsewhere, asked, no answer yet",
    "work elsewhere, but the node that was asked refused",
    "a token was on its way",
    "own data was on its way",
    "work was on the node, but not taken yet"};

struct idle_stretch {
  std::int64_t begin, end;
  std::uint32_t node;
  idle_cause cause;
};

struct idle_causes {
  using by_cause = std::array<double, idle_cause_count>;  // seconds, of all processors
  by_cause all{};
  std::vector<by_cause> nodes;
  std::vector<idle_stretch> longest;  // the longest first; at most 200
};

/// end: of the run; what follows is left out.
idle_causes find_idle_causes(const trace_file& file, const known_events& known, std::int64_t end);

}  // namespace terrane
