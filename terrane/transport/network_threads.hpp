// SPDX-License-Identifier: Apache-2.0
// network_threads.hpp: the threads that serve a node's sockets beside its processors.
//
// modules     One thread sleeps until a socket has something, and then takes it. One sleeps until
//             a processor has sent something, and then writes it; while a socket takes no more it
//             sleeps until it does.
// watchdog    network_watch.hpp
#pragma once

#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/transport/network_watch.hpp"
#include "terrane/transport/progress_form.hpp"
#include "terrane/transport/tcp/socket.hpp"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

class network_threads {
 public:
  /// Begins at once, on threads that block the program's signals. kept: the watchdog, if it is to
  /// outlive this; null: there is one for this alone.
  network_threads(wired_network& sockets, progress_form form, std::uint32_t processors,
                  network_watch* kept = nullptr);
  network_threads(const network_threads&) = delete;
  network_threads& operator=(const network_threads&) = delete;
  ~network_threads();

  /// modules: something is to be written. Any thread.
  void has_sent();
  /// A processor begins or ends to sleep.
  void sleeps(bool so) {
    if (watch_) watch_->sleeps(so);
  }

 private:
  void receive();
  void send();

  wired_network& sockets_;
  std::optional<network_watch> own_watch_;
  network_watch* watch_ = nullptr;  // null: no watchdog
  // A futex of the sending thread: processors raise it after flush() has something to do.
  atomic<std::uint32_t> sent_{0};
  atomic<bool> over_{false};
  descriptor end_;  // ends waits
  std::vector<std::thread> threads_;
};

}  // namespace terrane
