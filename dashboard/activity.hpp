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
  const trace_name* name = nullptr;  // of fibers and threads
  bool in_fiber = false;             // it lies in a fiber: its time is none of the program's
};

// clang-format off
#define TERRANE_KNOWN_EVENTS(each) \
  each(token_queued) each(token_invoked) each(token_offered) each(token_taken) \
  each(signalled) each(slot_fired) each(memory_used) \
  each(token_given) each(token_arrived) each(tokens_robbed) each(token_started) \
  each(fiber_started) each(fiber_ended) each(fiber_ready) each(fiber_unready) \
  each(message_sent) each(message_taken) \
  each(thread_made) each(thread_runs) each(thread_blocks) each(thread_yields) each(thread_ended) \
  each(move_leaves) each(move_arrived) each(move_refused) \
  each(note_sent) each(note_arrived) each(decision) \
  each(idle_began) each(idle_ended) each(sleep_began) each(sleep_ended) \
  each(polled) each(balanced) \
  each(user_event)
// clang-format on

/// The numbers of the events that this code knows, in the trace at hand; 0, which no event has, if
/// it has none.
struct known_events {
  explicit known_events(const trace_file& file);
#define TERRANE_KNOWN(name) std::uint32_t name;
  TERRANE_KNOWN_EVENTS(TERRANE_KNOWN)
#undef TERRANE_KNOWN
};

/// True for events that are shown singly, as points in time.
inline bool is_of_note(const trace_event& event, const known_events& known) {
  return event.type == known.decision || event.type == known.user_event ||
         event.type == known.move_refused;
}

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
  std::int64_t last_ = 0;
  bool any_ = false;
  std::int64_t within_ = 0;  // nothing that is written now may begin before
  // of the moment within_: where what ends then and was told is, and from where there is room
  std::int64_t stacked_ = 0, free_ = 0;
};

/// Outer slices before what lies in them, and each before what begins where it ends.
inline bool begins_before(const slice& a, const slice& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  return a.depth != b.depth ? a.depth < b.depth : a.end < b.end;
}

/// The slices of one processor in that order.
std::vector<slice> slices_of(const trace_file& file, const known_events& known,
                             std::uint32_t source);

/// Calls begins(slice) and ends(slice) for each, so that they nest.
template <class Begins, class Ends>
void visit_nested(const std::vector<slice>& slices, Begins&& begins, Ends&& ends) {
  std::vector<const slice*> open;
  const auto end_until = [&](std::size_t depth) {
    for (; !open.empty() && open.back()->depth >= depth; open.pop_back()) ends(*open.back());
  };
  for (const slice& each : slices) {
    end_until(each.depth);
    begins(each);
    open.push_back(&each);
  }
  end_until(0);
}

enum class flow_kind : std::uint8_t { message, token, move };

struct flow {
  flow_kind kind;
  std::uint32_t from = 0, to = 0;  // sources; of tokens: policies
  std::int64_t left = 0, arrived = 0;
  std::uint64_t bytes = 0;
  const trace_name* name = nullptr;  // of a token's function or a thread; null: a message
};

struct flows {
  std::vector<flow> all;              // in order of their arrival
  std::vector<std::string> problems;  // why some were not matched
};
flows find_flows(const trace_file& file, const known_events& known);

}  // namespace terrane
