// SPDX-License-Identifier: Apache-2.0
// critical_path.hpp: the chain of causes from the start of a run to its end, and how long the run
// would take if nothing ever waited for a processor.
//
// Chain       The last fiber of the root ended the run. It ran because its last signal came, or its
//             token was taken; that signal was given by another fiber, that token made by one; and
//             so on, back to the start. Each moment of the run lies in exactly one part of this
//             chain: the program ran, or what was to run next was ready and waited, or was on its
//             way. So the parts add up to the elapsed time.
// Span        The same without any waiting: a fiber begins when the last of its causes has done its
//             part, whatever processor is free and however long messages take. Beside it, the work:
//             all time in the program's code. (Brent 1974: no machine of P processors is faster
//             than the larger of span and work / P.)
// Limits      Needs the classes token, fiber, signal, ready and message, and all of their events. A
//             token that lies in a pool is told from others by its function and its place in the
//             order in which pools give; tokens that a balancer gave as the newest are taken for
//             the oldest. Tokens that were run at once, as calls, are a part of who made them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dashboard/activity.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

enum class path_part : std::uint8_t {
  program,
  messages,
  ready,
  queued,
  message_flies,
  token_flies,
  start,
  unknown
};
inline constexpr std::size_t path_part_count = 8;
inline constexpr const char* path_part_names[] = {
    "the program ran",          "messages were taken, the balancer ran",
    "ready, but not run yet",   "its token lay in a queue",
    "a message was on its way", "a token was on its way",
    "the machine started",      "not known"};

struct path_step {
  std::int64_t begin, end;
  path_part part;
  std::uint32_t source;
  const trace_name* name;  // of the fiber or function; null: none
};

struct critical_path {
  std::array<std::int64_t, path_part_count> ns{};  // they add up to the elapsed time
  std::vector<path_step> steps;                    // from the start to the end
  std::int64_t span_ns = 0, work_ns = 0;
  std::string why_not;  // if there is no path: a sentence
};

/// begin, end: of the run.
critical_path find_critical_path(const trace_file& file, const known_events& known,
                                 std::int64_t begin, std::int64_t end);

}  // namespace terrane
