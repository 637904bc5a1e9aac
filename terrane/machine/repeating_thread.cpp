// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/repeating_thread.hpp"

#include <pthread.h>
#include <signal.h>

namespace terrane {

repeating_thread::repeating_thread(std::chrono::milliseconds interval, std::function<void()> task) {
  sigset_t all, before;  // a thread inherits the mask of its creator
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this, interval, task = std::move(task)] {
    std::unique_lock hold(lock_);
    do task();
    while (!over_changed_.wait_for(hold, interval, [this] { return over_; }));
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
