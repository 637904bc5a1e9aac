// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/repeating_thread.hpp"

#include "terrane/base/signals_blocked.hpp"

namespace terrane {

repeating_thread::repeating_thread(std::chrono::milliseconds interval, std::function<void()> task) {
  const signals_blocked while_it_starts;
  thread_ = std::thread([this, interval, task = std::move(task)] {
    std::unique_lock hold(lock_);
    do task();
    while (!over_changed_.wait_for(hold, interval, [this] { return over_; }));
  });
}

repeating_thread::~repeating_thread() {
  {
    const std::lock_guard hold(lock_);
    over_ = true;
  }
  over_changed_.notify_one();
  thread_.join();
}

}  // namespace terrane
