// SPDX-License-Identifier: Apache-2.0
// outside_tasks.hpp: helper OS threads for system calls that would block a processor.
//
// Invariants  Tasks of one owner start in order, each on its own helper. A new helper is started
//             when none is free, up to helpers_max. Nobody joins a helper: one that hangs in a
//             system call outlives the owner, and so does the state that they share.
// Protocol    A task that has finished is listed under the lock, then the owner is told; the owner
//             takes the list under the lock. under_way() is the owner's own count: it falls when
//             the owner takes, not when the helper finishes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace terrane {

class outside_tasks {
 public:
  static constexpr int helpers_max = 256;

  /// finished: called by helpers when there is something to take, and never after the destructor.
  explicit outside_tasks(std::function<void()> finished);
  ~outside_tasks();
  outside_tasks(const outside_tasks&) = delete;
  outside_tasks& operator=(const outside_tasks&) = delete;

  // by the owner
  void run(void (*task)(void*), void* about, std::uint64_t name);
  /// The names of the tasks that have finished since the last call.
  std::vector<std::uint64_t> take_finished();
  std::size_t under_way() const { return under_way_; }

 private:
  struct shared;
  static void help(const std::shared_ptr<shared>& with);

  const std::shared_ptr<shared> shared_;
  std::size_t under_way_ = 0;
};

}  // namespace terrane
