// SPDX-License-Identifier: Apache-2.0
// path_steps.hpp: what happened in a run and what it came from, and the way back along causes.
#pragma once

#include <cstdint>
#include <vector>

#include "dashboard/critical_path.hpp"

namespace terrane {

inline constexpr std::uint32_t no_step = ~std::uint32_t{0};

/// Something that happened, and what it came from: a fiber that ran, a message that was taken, a
/// token that was given or arrived. The time from `caused` to `begin` was spent as `before` says.
struct causal_step {
  std::int64_t begin = 0, caused = 0;
  std::int64_t span = 0;           // without waiting, at `begin`
  std::int64_t done_at_cause = 0;  // program time of the cause when it caused this
  std::uint32_t cause = no_step, source = 0;
  path_part before = path_part::unknown;
  const trace_name* name = nullptr;
};

/// Follows the causes from the root's last fiber back to `begin`, and adds the parts and steps to
/// `found`. ended_done: the program time of the last fiber of each source.
void walk_back(const trace_file& file, const std::vector<causal_step>& steps,
               const std::vector<std::int64_t>& ended_done, std::int64_t begin, std::int64_t end,
               critical_path& found);

}  // namespace terrane
