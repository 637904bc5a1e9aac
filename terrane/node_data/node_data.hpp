// SPDX-License-Identifier: Apache-2.0
// node_data.hpp: each node's copy of a program's node variables (c/node_data.h) and of its
// node_local objects, from the start of a run to its end.
//
// Invariants  A node_data is made and destroyed by the thread that runs the machine, while no
//             processor runs. A process whose program has any such variable holds one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

/// For a process that does not run node 0. Some node variables are pointers that begin as places of
/// machine variables: this adjusts them to where node 0 has these variables. Call once, before the
/// program runs.
void move_machine_pointers(const terrane_processor& of_node);

class node_data {
 public:
  /// nodes: how many of the machine's nodes are in this process.
  explicit node_data(std::uint32_t nodes);
  ~node_data();
  node_data(const node_data&) = delete;
  node_data& operator=(const node_data&) = delete;

  /// Sets what a processor keeps of the data of its node. home: which of this process's nodes.
  void attach(terrane_processor& to, node_id home) const;

 private:
  struct aligned_free {
    void operator()(char* block) const;
  };
  using block = std::unique_ptr<char, aligned_free>;

  const bool used_;
  std::vector<block> images_;   // of nodes 1, 2, ...; node 0 uses the image itself
  std::vector<block> objects_;  // of every node
};

}  // namespace terrane
