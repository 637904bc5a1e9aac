// SPDX-License-Identifier: Apache-2.0
// world.hpp: the only interface between the model and the machine it runs on, in five small parts.
//
//   wire         messages, notes and tokens to others       every world
//   crew         threads, clock, idleness, sleep            every world
//   neighbours   what needs no message                      null: nodes share nothing
//   losses       processes that ended before the run        null: there is one process
//   prices       of work that a program declares            null: time is measured
//
// One object may implement several of them. machine/worlds.hpp lists the worlds.
#pragma once

#include <cstdint>
#include <span>

#include "terrane/core/crew.hpp"
#include "terrane/core/losses.hpp"
#include "terrane/core/neighbours.hpp"
#include "terrane/core/prices.hpp"
#include "terrane/core/wire.hpp"
#include "terrane/core/world_statistics.hpp"

namespace terrane {

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

  /// Called before the run with the nodes, in order. Null: the node is in another process.
  virtual void attach(std::span<node* const> nodes) = 0;
  /// True if that node is part of this process.
  virtual bool holds(node_id) const { return true; }
  virtual void describe(world_statistics&) const {}
  /// Called, by any thread, when the run has failed in this process and the sentence is on stderr.
  /// Tells the processes that would wait for this one, which ends when this returns.
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
