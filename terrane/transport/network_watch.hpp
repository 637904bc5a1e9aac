// SPDX-License-Identifier: Apache-2.0
// network_watch.hpp: a thread that serves a node's wires when no processor does.
//
// Purpose     It looks now and then whether a processor has served the wires since its last look.
//             If none has, although not all of them sleep, it does so itself. It looks every
//             millisecond while that is needed, and up to eight times less often otherwise.
// Invariants  It uses the wires under its lock, and only between start() and stop().
// Cost        start() may have to wake the thread; stop() waits for a turn that is under way, and
//             never for the thread itself. So whoever runs one short phase after the other keeps
//             one watch for all of them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "terrane/base/atomic.hpp"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

class network_watch {
 public:
  /// The thread begins with the first start().
  network_watch() = default;
  network_watch(const network_watch&) = delete;
  network_watch& operator=(const network_watch&) = delete;
  ~network_watch();

  void start(wired_network& wires, std::uint32_t processors);
  void stop();
  /// A processor begins or ends to sleep.
  void sleeps(bool so) { asleep_.fetch_add(so ? 1 : ~std::uint32_t{0}, memory_order_relaxed); }

 private:
  void watch();

  // processors write, the watch reads. relaxed: it is a guess that costs one look at most.
  atomic<std::uint32_t> asleep_{0};
  std::mutex lock_;
  // under lock_
  wired_network* wires_ = nullptr;  // null: there is nothing to watch
  std::uint32_t processors_ = 0;
  bool over_ = false;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace terrane
