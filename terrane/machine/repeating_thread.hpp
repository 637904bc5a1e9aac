// SPDX-License-Identifier: Apache-2.0
// repeating_thread.hpp: something done every so often beside a run, until it is destroyed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace terrane {

/// `task` is called at once and then every `interval`, on a thread that takes no signals of the
/// program's. The destructor waits for a call that is under way.
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
