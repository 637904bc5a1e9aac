// SPDX-License-Identifier: Apache-2.0
// activity.hpp: what a trace's events mean together: slices of time of each processor, and what
// went from one place to another.
//
// Slices      A fiber or an activation from its start to its end, with the tokens that it ran at
//             once; a thread while it runs; idleness and sleep; taking messages; balancing. Those
//             of one processor are nested or apart: each ends before the one that it lies in.
// Flows       A message, a token between nodes, a thread that moved. Its two ends are found by
//             order for each pair of places, since each pair keeps its order. If events of the
//             class were dropped, nothing is matched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/trace/reader.hpp"

namespace terrane {

enum class slice_kind : std::uint8_t { fiber, thread, idle, sleep, poll, balance };
inline constexpr const char* slice_names[] = {"fiber", "thread", "idle",
                                              "sleep", "poll",   "balance"};

struct slice {
  std::int64_t begin = 0, end = 0;
  slice_kind kind = slice_kind::fiber;
  std::uint8_t depth = 0;
  const trace_name* name = nullptr;       // of fibers and threads
  std::uint64_t fibers = 0, inlined = 0;  // that ran within
  bool in_fiber = false;                  // it lies in a fiber: its time is none of the program's
};

/// The numbers of the events that this code knows, in the trace at hand; 0 if it has none.
struct known_events {
  explicit known_events(const trace_file& file);
  std::uint32_t token_queued, token_inlined, token_offered, token_taken, token_given, token_arrived,
      tokens_robbed, token_started, fiber_started, fiber_ended, message_sent, message_taken,
      fiber_ready, fiber_unready, thread_made, thread_runs, thread_blocks, thread_yields,
      thread_ended, move_asked, move_leaves, move_arrived, move_refused, balancer_idle,
      balancer_surplus, note_sent, note_arrived, decision, idle_began, idle_ended, sleep_began,
      sleep_ended, polled, balanced, memory_used, user_event;
};

/// Finds the slices of one processor, in the order in which they end; an outer one thus comes after
/// those within it.
class slice_finder {
 public:
  slice_finder(const trace_file& file, const known_events& known, std::uint32_t source)
      : file_(file), known_(known), cursor_(file, source) {}
  /// Calls use(slice) for each. Those still open at the end of the trace end with its last event.
  template <class Use>
  void visit(Use&& use) {
    trace_event event;
    while (cursor_.next(event)) {
      take(event);
      for (const slice& each : done_) use(each);
      done_.clear();
    }
    close_all();
    for (const slice& each : done_) use(each);
    done_.clear();
  }
  std::int64_t first_ns() const { return first_; }
  std::int64_t last_ns() const { return last_; }

 private:
  void take(const trace_event& event);
  void open(std::int64_t at, slice_kind kind, const trace_name* name = nullptr);
  void close(std::int64_t at, slice_kind kind);
  void lasted(std::int64_t end, std::uint64_t ns, slice_kind kind);
  void close_all();
  const trace_file& file_;
  const known_events& known_;
  trace_file::cursor cursor_;
  std::vector<slice> open_, done_;
  std::int64_t first_ = 0, last_ = 0;
  bool any_ = false;
  std::int64_t within_ = 0;  // nothing that is written now may begin before
};

enum class flow_kind : std::uint8_t { message, token, move };

struct flow {
  flow_kind kind;
  std::uint32_t from, to;  // sources; of tokens: policies
  std::int64_t left, arrived;
  std::uint64_t bytes;
  const trace_name* name;  // of a token's function or a thread; null: a message
  std::uint64_t what;      // a message's kind
};

struct flows {
  std::vector<flow> all;              // in order of their arrival
  std::vector<std::string> problems;  // why some were not matched
};
flows find_flows(const trace_file& file, const known_events& known);

}  // namespace terrane
