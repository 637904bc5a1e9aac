// SPDX-License-Identifier: Apache-2.0
// causal_order.hpp: the events of a trace in an order in which nothing is taken before it was sent.
//
// Purpose     Events of one moment have no order among sources, and on a simulated machine that
//             costs nothing many fall on one moment. Who follows messages and tokens from event to
//             event wants each sending before its taking.
// Method      The events come by time. One that takes what nobody has sent yet waits, and with it
//             its source, for the other events of the same moment; if none of them sends it, it
//             comes all the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "terrane/trace/reader.hpp"

namespace terrane {

/// Calls use(event) for each event up to `end`. must_wait(event): true while what it takes is not
/// there.
template <class MustWait, class Use>
void visit_in_causal_order(const trace_file& file, std::int64_t end, MustWait&& must_wait,
                           Use&& use) {
  std::vector<trace_file::cursor> cursors;
  std::vector<trace_event> heap, held;
  const auto later = [](const trace_event& a, const trace_event& b) {
    return a.ns != b.ns ? a.ns > b.ns : a.source > b.source;
  };
  const auto push_next = [&](std::uint32_t source) {
    trace_event next;
    if (!cursors[source].next(next) || next.ns > end) return;
    heap.push_back(next);
    std::push_heap(heap.begin(), heap.end(), later);
  };
  for (std::uint32_t source = 0; source < file.sources().size(); ++source)
    cursors.emplace_back(file, source);
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) push_next(source);
  const auto pass = [&](const trace_event& event) {
    use(event);
    push_next(event.source);
  };
  while (!heap.empty() || !held.empty()) {
    const bool moment_is_over =
        !held.empty() && (heap.empty() || heap.front().ns > held.front().ns);
    if (moment_is_over) {
      const trace_event first = held.front();
      held.erase(held.begin());
      pass(first);
    } else {
      std::pop_heap(heap.begin(), heap.end(), later);
      const trace_event event = heap.back();
      heap.pop_back();
      if (must_wait(event)) {
        held.push_back(event);
        continue;
      }
      pass(event);
    }
    for (std::size_t i = 0; i < held.size();) {
      if (must_wait(held[i])) {
        ++i;
        continue;
      }
      const trace_event freed = held[i];
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
      pass(freed);
      i = 0;
    }
  }
}

}  // namespace terrane
