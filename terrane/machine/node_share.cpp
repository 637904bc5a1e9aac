// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/node_share.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace terrane {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(time_split, balance, poll, idle, switching)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(processor_statistics, processor, node, tokens_generated,
                                   fibers_executed, tokens_inlined, tokens_from_pool, messages_sent,
                                   bytes_sent, run_seconds, split)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(wire_statistics, from, to, messages, frames, bytes, writes,
                                   blocked_seconds, round_trip_seconds, round_trip_min_seconds,
                                   resent)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(world_statistics, wires)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(node_profile, node, bin_ns, bins)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(summed_counts, counts, sum_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(profile_summary, nodes, lengths)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(node_load, node, means, sent_to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(wait_row, who, whom, where, times, waited_ns, hidden_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(wait_table, is_noted, waited_ns, hidden_ns, rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(run_statistics, elapsed_seconds, exit_code, tokens_generated,
                                   fibers_executed, tokens_moved, messages_sent, notes_sent,
                                   cache_hits, cache_misses, names_reused, late_wake_ups,
                                   messages_forwarded, members_moved, messages_unexpected_peak,
                                   frame_bytes, peak_resident_bytes, of_world, per_processor, loads,
                                   profile, waits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(waiting_fiber, processor, node, function, fiber, where, count,
                                   reset, armed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(waiting_thread, processor, node, name, waits_for)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(awaited_object, processor, node, kind, waiting)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(live_frames, frames, objects, by_function, waiting, threads,
                                   awaited)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(run_outcome, exit_code, deadlock, statistics, left, tokens_left)

namespace {

void add(run_statistics& all, const run_statistics& one) {
  all.elapsed_seconds = std::max(all.elapsed_seconds, one.elapsed_seconds);
  all.tokens_generated += one.tokens_generated;
  all.fibers_executed += one.fibers_executed;
  all.tokens_moved += one.tokens_moved;
  all.messages_sent += one.messages_sent;
  all.notes_sent += one.notes_sent;
  all.cache_hits += one.cache_hits;
  all.cache_misses += one.cache_misses;
  all.names_reused += one.names_reused;
  all.late_wake_ups += one.late_wake_ups;
  all.messages_forwarded += one.messages_forwarded;
  all.members_moved += one.members_moved;
  all.messages_unexpected_peak =
      std::max(all.messages_unexpected_peak, one.messages_unexpected_peak);
  all.frame_bytes += one.frame_bytes;
  all.peak_resident_bytes += one.peak_resident_bytes;
  all.of_world.wires.insert(all.of_world.wires.end(), one.of_world.wires.begin(),
                            one.of_world.wires.end());
  all.profile.add(one.profile);
  all.waits.add(one.waits);
  all.loads.insert(all.loads.end(), one.loads.begin(), one.loads.end());
  all.per_processor.insert(all.per_processor.end(), one.per_processor.begin(),
                           one.per_processor.end());
}

void add(live_frames& all, const live_frames& one) {
  all.frames += one.frames;
  all.objects += one.objects;
  for (const auto& [function, count] : one.by_function) all.by_function[function] += count;
  for (const auto& each : one.waiting)
    if (all.waiting.size() < waiting_listed) all.waiting.push_back(each);
  for (const auto& each : one.threads)
    if (all.threads.size() < waiting_listed) all.threads.push_back(each);
  for (const auto& each : one.awaited)
    if (all.awaited.size() < waiting_listed) all.awaited.push_back(each);
}

}  // namespace

std::string share_text(const run_outcome& of_node) {
  return nlohmann::json(of_node).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
         '\n';
}

result<void> add_share(run_outcome& whole, const std::string& text) {
  const auto read = nlohmann::json::parse(text, nullptr, false);
  if (read.is_discarded() || !read.is_object()) return error{"it did not say how its run went"};
  const auto one = read.get<run_outcome>();
  whole.deadlock |= one.deadlock;
  if (whole.exit_code == 0) whole.exit_code = one.exit_code;
  whole.tokens_left += one.tokens_left;
  add(whole.statistics, one.statistics);
  add(whole.left, one.left);
  return {};
}

}  // namespace terrane
