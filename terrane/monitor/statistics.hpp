// SPDX-License-Identifier: Apache-2.0
// statistics.hpp: what a run did and where its time went, as numbers, as text and as JSON.
//
// docs/statistics.md describes every field of the JSON object.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "terrane/core/counters.hpp"
#include "terrane/core/world_statistics.hpp"
#include "terrane/monitor/profile_summary.hpp"
#include "terrane/monitor/wait_table.hpp"

namespace terrane {

struct processor_statistics {
  std::uint32_t processor = 0, node = 0;
  std::uint64_t tokens_generated = 0;
  std::uint64_t fibers_executed = 0;
  std::uint64_t tokens_inlined = 0;    // of those generated, run inline
  std::uint64_t tokens_from_pool = 0;  // taken from the node's pool
  std::uint64_t messages_sent = 0, bytes_sent = 0;
  double run_seconds = 0;
  time_split split;  // the rest of the time
};

/// A node's load, as far as it was measured (core/load_meter.hpp).
struct node_load {
  std::uint32_t node = 0;
  std::vector<std::pair<std::string, double>> means;               // by metric
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sent_to{};  // messages, by node
};

struct run_statistics {
  std::string world, balancer;
  std::uint32_t nodes = 1, processors = 1;  // processors of each node
  std::uint64_t seed = 1;
  double elapsed_seconds = 0;
  int exit_code = 0;
  std::uint64_t tokens_generated = 0, fibers_executed = 0, tokens_moved = 0;
  std::uint64_t messages_sent = 0;  // between processors, and the balancers' notes
  std::uint64_t notes_sent = 0;     // of those, the balancers'
  // reads of elements of other nodes' I-structures: answered on the node, and not
  std::uint64_t cache_hits = 0, cache_misses = 0;
  std::uint64_t names_reused = 0;        // frames whose names began again (terrane_is_live_here)
  std::uint64_t late_wake_ups = 0;       // counters::late_wake_ups
  std::uint64_t messages_forwarded = 0;  // between threads, by where the receiver was no longer
  std::uint64_t members_moved = 0;       // by balance() of their ropes
  std::uint64_t messages_unexpected_peak = 0;  // that waited for receives of one thread
  std::uint64_t frame_bytes = 0, peak_resident_bytes = 0;
  world_statistics of_world{};
  std::vector<processor_statistics> per_processor;
  std::vector<node_load> loads{};
  profile_summary profile{};
  wait_table waits{};
};

/// Text for people, each line ended.
std::string to_text(const run_statistics&);
/// One JSON object on one line, without a line end.
std::string to_json(const run_statistics&);

}  // namespace terrane
