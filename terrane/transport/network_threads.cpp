// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/network_threads.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include "terrane/base/futex.hpp"
#include "terrane/base/signals_blocked.hpp"

namespace terrane {

network_threads::network_threads(wired_network& sockets, progress_form form,
                                 std::uint32_t processors, network_watch* kept)
    : sockets_(sockets), end_(needed(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))) {
  if (form == progress_form::watchdog) {
    watch_ = kept ? kept : &own_watch_.emplace();
    watch_->start(sockets_, processors);
  }
  const signals_blocked while_they_start;
  if (form == progress_form::modules) {
    threads_.emplace_back([this] { receive(); });
    threads_.emplace_back([this] { send(); });
  }
}

network_threads::~network_threads() {
  over_.store(true, memory_order_seq_cst);
  eventfd_write(end_.number(), 1);
  has_sent();
  if (watch_) watch_->stop();
  for (std::thread& each : threads_) each.join();
}

void network_threads::has_sent() {
  sent_.fetch_add(1, memory_order_seq_cst);
  futex_wake(sent_);
}

/// A frame that waits for room in a ring is tried again soon: its connection reports nothing. A
/// network without a descriptor is looked at every millisecond, and at once if something came.
void network_threads::receive() {
  const int events = sockets_.descriptor_to_wait_on();
  for (bool came = false; !over_.load(memory_order_seq_cst);) {
    pollfd awaited[2] = {{events, POLLIN, 0}, {end_.number(), POLLIN, 0}};
    const bool looks = events < 0 || sockets_.is_stalled() || sockets_.wants_turn();
    poll(awaited, 2, !looks ? -1 : came && events < 0 ? 0 : 1);
    came = sockets_.turn();
  }
}

/// The number is read before the flush, so that a message that is sent after it ends the wait.
void network_threads::send() {
  while (!over_.load(memory_order_seq_cst)) {
    const std::uint32_t seen = sent_.load(memory_order_seq_cst);
    sockets_.flush();
    const bool retry = sockets_.unsent() != 0 || sockets_.wants_turn();
    if (sockets_.wants_turn()) sockets_.turn();
    futex_wait(sent_, seen, retry ? 1'000'000 : -1);
  }
}

}  // namespace terrane
