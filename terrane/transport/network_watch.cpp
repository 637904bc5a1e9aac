// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/network_watch.hpp"

#include <algorithm>
#include <chrono>

#include "terrane/base/signals_blocked.hpp"

namespace terrane {

network_watch::~network_watch() {
  {
    const std::lock_guard hold(lock_);
    over_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void network_watch::start(wired_network& wires, std::uint32_t processors) {
  const std::lock_guard hold(lock_);
  wires_ = &wires;
  processors_ = processors;
  asleep_.store(0, memory_order_relaxed);
  if (thread_.joinable()) return changed_.notify_all();
  const signals_blocked while_it_starts;
  thread_ = std::thread([this] { watch(); });
}

void network_watch::stop() {
  const std::lock_guard hold(lock_);
  wires_ = nullptr;
}

void network_watch::watch() {
  using std::chrono::milliseconds;
  constexpr milliseconds shortest{1}, longest{8};
  milliseconds wait = shortest;
  std::uint64_t seen = 0;
  std::unique_lock hold(lock_);
  while (!over_) {
    if (!wires_) {
      wait = shortest;
      changed_.wait(hold);
      continue;
    }
    changed_.wait_for(hold, wait);
    if (!wires_ || over_) continue;
    const std::uint64_t turns = wires_->turns();
    const bool served = turns != seen || asleep_.load(memory_order_relaxed) >= processors_;
    wait = served ? std::min(2 * wait, longest) : shortest;
    if (!served) {
      wires_->flush();
      wires_->turn();
    }
    seen = wires_->turns();
  }
}

}  // namespace terrane
