// SPDX-License-Identifier: Apache-2.0
// progress.hpp: one line on a terminal during a long run: elapsed time, tokens, busy processors.
#pragma once

#include <chrono>

#include "terrane/machine/machine.hpp"
#include "terrane/machine/repeating_thread.hpp"

namespace terrane {

/// True if stderr is a terminal, the run is not quiet, and the world is not simulated.
bool is_progress_wanted(const run_options& options);

/// The line itself. The destructor removes it from the terminal.
class progress_line {
 public:
  static constexpr std::chrono::milliseconds interval{500};

  ~progress_line() { erase(); }
  /// Replaces the line. Does nothing in the first second of the run.
  void show(const machine::glance& seen);
  /// Removes the line. Call it before anything else is printed.
  void erase();

 private:
  bool shown_ = false;
};

/// Shows the line from construction to destruction.
class progress {
 public:
  explicit progress(machine& watched);

 private:
  progress_line line_;
  repeating_thread repeated_;
};

}  // namespace terrane
