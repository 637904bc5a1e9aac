// SPDX-License-Identifier: Apache-2.0
// flight_recorder.hpp: the last events of each node, in constant space; always on.
//
// Invariants  One writer for each node at a time: it holds the balancer's lock. A reader on
//             another thread may see a half-overwritten event: it is used only when a run fails.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/core/event.hpp"

namespace terrane {

class flight_recorder final : public event_sink {
 public:
  explicit flight_recorder(std::uint32_t nodes) : rings_(nodes) {}

  void record(const event& what) override {
    ring& mine = rings_[what.node];
    const std::uint64_t at = mine.written.load(memory_order_relaxed);
    mine.events[at % kept] = what;
    mine.written.store(at + 1, memory_order_release);  // pairs with the reader in print_last
  }
  /// The last events of all nodes on stderr, a line each. Any thread.
  void print_last(int how_many) const;
  std::uint64_t recorded(node_id node) const {
    return rings_[node].written.load(memory_order_acquire);
  }

 private:
  static constexpr std::size_t kept = 64;
  struct ring {
    std::array<event, kept> events;
    atomic<std::uint64_t> written{0};
  };
  std::vector<ring> rings_;
};

}  // namespace terrane
