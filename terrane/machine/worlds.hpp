// SPDX-License-Identifier: Apache-2.0
// worlds.hpp: the table of worlds: a row each, and all that is asked of one by its name.
//
// Purpose     A new world is one class (core/world.hpp) and one row. Options, help, errors,
//             placement, the machine, progress and the tests read the row; nobody else compares
//             names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/placement.hpp"

namespace terrane {

/// A program that is to be run.
struct run_order {
  const run_options& options;
  const terrane_function& root;
  const terrane_root_args& args;
  char** argv;  // for processes that start the program anew
};

struct world_row {
  std::string_view name;
  std::string_view nodes_are;  // one line of the help
  int processors_max = 0;      // of all nodes
  /// Its clock is virtual: its processors take no cores, nobody looks on from outside, and the same
  /// seed gives the same run.
  bool simulated = false;
  /// The world with all its nodes in this process. Null: each node has a process of its own.
  result<std::unique_ptr<world>> (*make)(const run_options&, const placement&) = nullptr;
  /// From the order to the outcome. An error: the run could not be started.
  result<run_outcome> (*start)(const run_order&, const placement&) = nullptr;
  /// If this process is a node of a run that another process started: runs it, and gives its exit
  /// code. Null: no such processes are started.
  result<std::optional<int>> (*join)(const run_order&) = nullptr;
};

/// A row's start for a world that has all its nodes in this process.
result<run_outcome> start_here(const run_order& order, const placement& placed);

/// The rows, the default world's first.
std::vector<const world_row*> worlds();
/// An error names those there are, and completes "--world".
result<const world_row*> find_world(std::string_view name);
/// The one whose runs are repeatable.
const world_row& simulated_world();
/// `a, b or c`: the names of the rows that `chosen` chooses.
std::string world_names(bool (*chosen)(const world_row&));

/// One more row, as long as this lives: of a world that is made elsewhere. Before runs, by one
/// thread. The row outlives this.
class added_world {
 public:
  explicit added_world(const world_row& row);
  added_world(const added_world&) = delete;
  added_world& operator=(const added_world&) = delete;
  ~added_world();

 private:
  const world_row& row_;
};

}  // namespace terrane
