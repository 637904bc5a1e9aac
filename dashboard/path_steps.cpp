// SPDX-License-Identifier: Apache-2.0
#include "dashboard/path_steps.hpp"

#include <algorithm>

namespace terrane {

namespace {

bool is_hop(const trace_file& file, const causal_step& its) {
  return file.sources()[its.source].is == trace_source::kind::policy;
}
/// The root ends on processor 0: its last fiber is where the way back begins.
bool is_last(const trace_file& file, const causal_step& its, const causal_step* before) {
  const trace_source& where = file.sources()[its.source];
  if (where.is != trace_source::kind::processor || where.number != 0 ||
      its.before == path_part::message_flies)
    return false;
  return !before || its.begin >= before->begin;
}

}  // namespace

void walk_back(const trace_file& file, const std::vector<causal_step>& steps,
               const std::vector<std::int64_t>& ended_done, std::int64_t begin, std::int64_t end,
               critical_path& found) {
  std::uint32_t at = no_step;
  for (std::uint32_t i = 0; i < steps.size(); ++i)
    if (is_last(file, steps[i], at == no_step ? nullptr : &steps[at])) at = i;
  std::int64_t time = end;
  const auto put = [&](std::int64_t from, path_part part, const causal_step* of) {
    from = std::clamp(from, begin, time);
    if (from == time) return;
    found.ns[static_cast<std::size_t>(part)] += time - from;
    found.steps.push_back({from, time, part, of ? of->source : 0, of ? of->name : nullptr});
    time = from;
  };
  // The program's time of the step, until `time`.
  std::int64_t done = at == no_step ? 0 : ended_done[steps[at].source];
  while (at != no_step && time > begin) {
    const causal_step& its = steps[at];
    const bool ran = its.before != path_part::message_flies &&
                     its.before != path_part::token_flies && !is_hop(file, its);
    if (ran) {
      const std::int64_t whole = std::max<std::int64_t>(0, time - its.begin);
      const std::int64_t program = std::clamp<std::int64_t>(done, 0, whole);
      put(time - program, path_part::program, &its);
      put(its.begin, path_part::messages, &its);
    } else {
      put(its.begin, path_part::messages, &its);
    }
    put(its.caused, its.before, &its);
    done = its.done_at_cause;
    at = its.cause;
  }
  put(begin, path_part::start, nullptr);
  std::reverse(found.steps.begin(), found.steps.end());
}

}  // namespace terrane
