// SPDX-License-Identifier: Apache-2.0
// world.hpp: the one seam between the model and the machine it runs on, in five small parts.
//
//   wire         messages, notes and tokens to others       every world
//   crew         threads, clock, idleness, sleep            every world
//   neighbours   what needs no message                      null: nodes share nothing
//   losses       processes that ended before their time     null: there is one process
//   prices       of work that a program declares            null: time is measured
//
// One object may be several of them. Rows of worlds: machine/worlds.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/rare.hpp"
#include "terrane/core/crew.hpp"
#include "terrane/core/losses.hpp"
#include "terrane/core/neighbours.hpp"
#include "terrane/core/prices.hpp"
#include "terrane/core/wire.hpp"

namespace terrane {

/// What one node sent to another over the network.
struct pair_traffic {
  node_id from, to;
  std::uint64_t messages, bytes;
};

/// What a world can say of a run beyond what processors and nodes count.
struct world_statistics {
  bool simulated = false;
  std::uint64_t events = 0, event_log_hash = 0;
  bool event_log_complete = true;  // its file, if one was asked for
  bool repeatable = false;         // all work was declared: the same seed gives the same hash
  std::uint64_t network_messages = 0, network_bytes = 0, overflows = 0;
  std::uint64_t interface_peak = 0;       // messages that waited to be taken, at one node
  std::uint64_t interface_overflows = 0;  // arrivals that found no room there
  std::vector<pair_traffic> pairs;        // those that occurred, by sender, then by receiver
  std::vector<rare_probe> probes;         // of rare branches, by name
};

class world {
 public:
  terrane::wire& wire;
  terrane::crew& crew;
  terrane::neighbours* const neighbours;
  terrane::losses* const losses;
  terrane::prices* const prices;

  world(const world&) = delete;
  world& operator=(const world&) = delete;
  virtual ~world() = default;

  /// The nodes, in order; before the run. Null: in another process.
  virtual void attach(std::span<node* const> nodes) = 0;
  /// True if that node is part of this process.
  virtual bool holds(node_id) const { return true; }
  virtual void describe(world_statistics&) const {}
  /// The run has failed in this process, which ends when this returns, and stderr has the sentence:
  /// tells those who would wait for it. Any thread.
  virtual void failed(int /*exit_code*/) {}

  std::uint64_t now() const { return crew.now(); }
  const char* why_threads_stay() const {
    return neighbours ? neighbours->why_threads_stay() : "stays: its nodes share no stacks";
  }

 protected:
  struct parts {
    terrane::wire& wire;
    terrane::crew& crew;
    terrane::neighbours* neighbours = nullptr;
    terrane::losses* losses = nullptr;
    terrane::prices* prices = nullptr;
  };
  explicit world(const parts& filled)
      : wire(filled.wire),
        crew(filled.crew),
        neighbours(filled.neighbours),
        losses(filled.losses),
        prices(filled.prices) {}
};

}  // namespace terrane
