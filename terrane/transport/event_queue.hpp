// SPDX-License-Identifier: Apache-2.0
// event_queue.hpp: the future events of a simulated machine, earliest first.
//
// Method      A heap with four children per node: it has half the levels of a binary heap, and the
//             children of a node are adjacent in memory.
// Cost        About log4 n levels of 24 bytes; a thousand events lie in the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane {

inline constexpr std::uint32_t tick_ticket = ~0u;

struct scheduled {
  std::uint64_t time;
  std::uint64_t rank;    // orders events of equal time
  std::uint32_t ticket;  // 0: a parcel; tick_ticket: a node's clock; else: a processor's turn, void
                         // if the processor has a newer ticket
  std::uint32_t index;   // of the parcel, the node or the processor
  bool operator<(const scheduled& other) const {
    return time != other.time ? time < other.time : rank < other.rank;
  }
};

class event_queue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const scheduled& first() const { return heap_.front(); }
  /// Calls use(event) for the events of which one follows first().
  template <class Use>
  void visit_second(Use&& use) const {
    for (std::size_t i = 1; i < 5 && i < heap_.size(); ++i) use(heap_[i]);
  }

  void push(const scheduled& event) {
    std::size_t at = heap_.size();
    heap_.push_back(event);
    while (at != 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(event < heap_[parent])) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = event;
  }

  scheduled pop() {
    const scheduled earliest = heap_.front(), last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return earliest;
  }

  /// Pops first() and pushes `event` in one step. `event` must not be earlier than first().
  scheduled exchange(const scheduled& event) {
    const scheduled earliest = heap_.front();
    sink(event);
    return earliest;
  }

 private:
  void sink(const scheduled& event) {
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (;;) {
      const std::size_t child = 4 * at + 1;
      if (child >= size) break;
      const std::size_t end = child + 4 < size ? child + 4 : size;
      std::size_t least = child;
      for (std::size_t i = child + 1; i < end; ++i)
        if (heap_[i] < heap_[least]) least = i;
      if (!(heap_[least] < event)) break;
      heap_[at] = heap_[least];
      at = least;
    }
    heap_[at] = event;
  }

  std::vector<scheduled> heap_;
};

}  // namespace terrane
