// SPDX-License-Identifier: Apache-2.0
// worlds.hpp: the table of worlds: one row per world, with all that depends on the world's name.
//
// Purpose     A new world needs one class (core/world.hpp) and one row. Options, help, errors,
//             placement, the machine, progress and the tests read the row; no other code compares
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
  char** argv;  // for node processes that start the program anew
};

class process_job;

struct world_row {
  std::string_view name;
  std::string_view nodes_are;  // one line of the help
  int processors_max = 0;      // of all nodes together
  /// True if its clock is virtual: its processors need no cores, no progress is shown, and the same
  /// seed gives the same run.
  bool simulated = false;
  /// True if its nodes have nothing but wires between them.
  bool shares_nothing = false;
  /// True in a process that another program has started as a part of such a world, which is then
  /// the default. Null: only terrane starts its processes.
  bool (*is_started)() = nullptr;
  /// Adds what was not said of a run, before it is placed. Null: there is nothing.
  result<void> (*complete)(run_options&) = nullptr;
  /// Makes the world with all its nodes in this process. Null: each node is a process of its own.
  result<std::unique_ptr<world>> (*make)(const run_options&, const placement&) = nullptr;
  /// Where each node is a process: makes what the run's processes have in common
  /// (process_job.hpp). Null: `start` knows.
  result<std::unique_ptr<process_job>> (*make_job)(const run_options&, const placement&) = nullptr;
  /// Carries out the order. An error: the run could not be started.
  result<run_outcome> (*start)(const run_order&, const placement&) = nullptr;
  /// If this process is a node of a run that another process started: runs the node and returns its
  /// exit code. Null: the world starts no such processes.
  result<std::optional<int>> (*join)(const run_order&) = nullptr;
};

/// The `start` of a row whose world has all its nodes in this process.
result<run_outcome> start_here(const run_order& order, const placement& placed);

/// The rows, the default world's first.
std::vector<const world_row*> worlds();
/// The row of that name. The error names the worlds that exist; it is the rest of a sentence that
/// begins with "--world".
result<const world_row*> find_world(std::string_view name);
/// The world of a run that names none.
const world_row& default_world();
/// The row of the world whose runs are repeatable.
const world_row& simulated_world();
/// `a, b or c`: the names of the rows that `chosen` chooses.
std::string world_names(bool (*chosen)(const world_row&));

/// Adds a row to the table while it lives, for a world that is defined elsewhere. Only one thread
/// may use it, and only before runs. The row must outlive this object.
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
