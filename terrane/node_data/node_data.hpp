// SPDX-License-Identifier: Apache-2.0
// node_data.hpp: each node's copy of a program's node variables (c/node_data.h) and of its
// node_local objects, from the start of a run to its end.
//
// Invariants  Made and destroyed by the thread that runs the machine, while no processor runs. One
//             at a time in a process whose program has any such variable.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

/// Of a process that does not run node 0: moves the pointers of its node variables that begin as
/// places of machine variables to where node 0 has those. Once, before the program runs.
void move_machine_pointers(const terrane_processor& of_node);

class node_data {
 public:
  /// nodes: how many of the machine's are in this process.
  explicit node_data(std::uint32_t nodes);
  ~node_data();
  node_data(const node_data&) = delete;
  node_data& operator=(const node_data&) = delete;

  /// What the processors of a node keep of it. home: which of this process's nodes.
  void attach(terrane_processor& to, node_id home) const;

 private:
  struct aligned_free {
    void operator()(char* block) const;
  };
  using block = std::unique_ptr<char, aligned_free>;

  const bool used_;
  std::vector<block> images_;   // of nodes 1, 2, ...; the image itself is node 0's
  std::vector<block> objects_;  // of every node
};

}  // namespace terrane
