// SPDX-License-Identifier: Apache-2.0
// wired_line.hpp: a node as a member of a run whose nodes have nothing but wires between them.
//
// Purpose     What a world over wires (wired_world.hpp) has to know of the run, whoever brought its
//             nodes together: a launcher (tcp/tcp_node.hpp) or an MPI (mpi/mpi_line.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "terrane/core/place.hpp"
#include "terrane/transport/roster.hpp"
#include "terrane/transport/tcp/node_facts.hpp"

namespace terrane {

class wired_line : public roster_line {
 public:
  virtual node_id number() const = 0;
  virtual std::uint32_t nodes() const = 0;
  /// What is known of each node, by number. Waits until all are there.
  virtual const std::vector<node_facts>& facts() = 0;
  /// Says that this node is ready, and waits until all are.
  virtual void await_begin() = 0;
  /// Says that this node needs the others no more, and waits until all have said so. Until then
  /// the wires to the others are to stay.
  virtual void finish() = 0;
  /// The wire to that node has failed. how: completes "the connection ...".
  virtual void report(node_id about, const std::string& how) = 0;
  /// This process is about to end with that code. Tells whoever would wait for it.
  virtual void fail(int /*exit_code*/) {}

  virtual bool is_lost(node_id which) const = 0;
  /// How often this node has shown that it lives.
  virtual std::uint64_t beats() const = 0;
  /// Called for each node that is lost.
  virtual void on_loss(std::function<void(node_id)> told) = 0;
  /// The room for stacks that move to and from that processor; empty: there is none.
  virtual std::span<char> stacks_of(processor_id p) const = 0;
};

}  // namespace terrane
