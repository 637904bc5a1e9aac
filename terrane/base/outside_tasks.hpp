// SPDX-License-Identifier: Apache-2.0
// outside_tasks.hpp: OS threads that do for a processor what would block it: system calls.
//
// Invariants  Tasks of one owner start in order, each on a helper of its own: a new one is started
//             when none is free, up to helpers_max. Helpers are never waited for: one that hangs in
//             a system call for good outlives the owner, with what they share.
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

  /// finished: called by helpers, when there is something to take; not once this is gone.
  explicit outside_tasks(std::function<void()> finished);
  ~outside_tasks();
  outside_tasks(const outside_tasks&) = delete;
  outside_tasks& operator=(const outside_tasks&) = delete;

  // by the owner
  void run(void (*task)(void*), void* about, std::uint64_t name);
  /// The names of those that have finished since.
  std::vector<std::uint64_t> take_finished();
  std::size_t under_way() const { return under_way_; }

 private:
  struct shared;
  static void help(const std::shared_ptr<shared>& with);

  const std::shared_ptr<shared> shared_;
  std::size_t under_way_ = 0;
};

}  // namespace terrane
