// SPDX-License-Identifier: Apache-2.0
// network_threads.hpp: the threads that serve a node's sockets beside its processors.
//
// modules     One thread sleeps until a socket has something, and then takes it. One sleeps until
//             a processor has sent something, and then writes it; while a socket takes no more it
//             sleeps until it does.
// watchdog    One thread looks now and then whether a processor has served the sockets since its
//             last look. If none has, although not all of them sleep, it does so itself. It looks
//             every millisecond while that is needed, and up to eight times less often otherwise.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/transport/progress_form.hpp"
#include "terrane/transport/tcp/socket.hpp"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

class network_threads {
 public:
  /// Begins at once, on threads that block the program's signals.
  network_threads(wired_network& sockets, progress_form form, std::uint32_t processors);
  network_threads(const network_threads&) = delete;
  network_threads& operator=(const network_threads&) = delete;
  ~network_threads();

  /// modules: something is to be written. Any thread.
  void has_sent();
  /// A processor begins or ends to sleep.
  void sleeps(bool so) { asleep_.fetch_add(so ? 1 : ~std::uint32_t{0}, memory_order_relaxed); }

 private:
  void receive();
  void send();
  void watch();

  wired_network& sockets_;
  const std::uint32_t processors_;
  // processors write, the watchdog reads. relaxed: it is a guess that costs one look at most.
  atomic<std::uint32_t> asleep_{0};
  // A futex of the sending thread: processors raise it after flush() has something to do.
  atomic<std::uint32_t> sent_{0};
  atomic<bool> over_{false};
  descriptor end_;  // ends waits
  std::mutex lock_;
  std::condition_variable ended_;
  std::vector<std::thread> threads_;
};

}  // namespace terrane
