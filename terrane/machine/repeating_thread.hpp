// SPDX-License-Identifier: Apache-2.0
// repeating_thread.hpp: a thread that calls a task at intervals during a run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace terrane {

/// Calls `task` at once and then every `interval`, on a thread that blocks the program's signals.
/// The destructor waits for a call that is under way.
class repeating_thread {
 public:
  repeating_thread(std::chrono::milliseconds interval, std::function<void()> task);
  ~repeating_thread();
  repeating_thread(const repeating_thread&) = delete;
  repeating_thread& operator=(const repeating_thread&) = delete;

 private:
  std::mutex lock_;
  std::condition_variable over_changed_;
  bool over_ = false;  // under lock_
  std::thread thread_;
};

}  // namespace terrane
