// SPDX-License-Identifier: Apache-2.0
// outside_tasks.hpp: helper OS threads for system calls that would block a processor.
//
// Invariants  Tasks of one owner start in order, each on its own helper. A new helper is started
//             when none is free, up to helpers_max. Nobody joins a helper: one that hangs in a
//             system call outlives the owner, and so does the state that they share.
#pragma once

#include <cstdint>
#include <memory>

#include "terrane/base/outside_signals.hpp"

namespace terrane {

class outside_tasks {
 public:
  static constexpr int helpers_max = 256;

  outside_tasks();
  ~outside_tasks();
  outside_tasks(const outside_tasks&) = delete;
  outside_tasks& operator=(const outside_tasks&) = delete;

  /// Runs task(about) on a helper, which then says the name.
  void run(void (*task)(void*), void* about, std::uint64_t name,
           std::shared_ptr<outside_signals::listener> to);

 private:
  struct shared;
  static void help(const std::shared_ptr<shared>& with);

  const std::shared_ptr<shared> shared_;
};

}  // namespace terrane
