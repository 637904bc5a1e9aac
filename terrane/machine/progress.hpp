// SPDX-License-Identifier: Apache-2.0
// progress.hpp: one line on a terminal while a long run goes on: elapsed, tokens, busy processors.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "terrane/machine/machine.hpp"

namespace terrane {

/// Shows from construction to destruction, from the first second on; leaves no trace on the
/// terminal.
class progress {
 public:
  explicit progress(machine& watched);
  ~progress();

 private:
  void watch();

  machine& watched_;
  std::mutex lock_;
  std::condition_variable over_changed_;
  bool over_ = false;  // under lock_
  std::thread thread_;
};

}  // namespace terrane
