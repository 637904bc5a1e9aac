// SPDX-License-Identifier: Apache-2.0
// progress.hpp: one line on a terminal while a long run goes on: elapsed, tokens, busy processors.
#pragma once

#include <optional>

#include "terrane/machine/machine.hpp"
#include "terrane/machine/repeating_thread.hpp"

namespace terrane {

/// Shows from construction to destruction, from the first second on; leaves no trace on the
/// terminal.
class progress {
 public:
  explicit progress(machine& watched);
  ~progress();

 private:
  void show();

  machine& watched_;
  bool shown_ = false;
  std::optional<repeating_thread> repeated_;
};

}  // namespace terrane
