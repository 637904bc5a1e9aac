// SPDX-License-Identifier: Apache-2.0
// progress.hpp: one line on a terminal while a long run goes on: elapsed, tokens, busy processors.
#pragma once

#include <chrono>

#include "terrane/machine/machine.hpp"
#include "terrane/machine/repeating_thread.hpp"

namespace terrane {

/// True if somebody sits before stderr and has not asked for quiet.
bool is_progress_wanted(const run_options& options);

/// The line itself. Leaves no trace on the terminal.
class progress_line {
 public:
  static constexpr std::chrono::milliseconds interval{500};

  ~progress_line() { erase(); }
  /// In place of the last one; from the first second of the run on.
  void show(const machine::glance& seen);
  /// Before something else is printed.
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
