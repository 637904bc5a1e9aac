// SPDX-License-Identifier: Apache-2.0
// awaited_channel.hpp: what a coroutine waits for at a channel of any processor.
//
//   while (const int next = co_await received(way)) co_await sent(back, next + 1);
//
// Invariants  An item is received into the coroutine's own frame, which stays where it is.
#pragma once

#include "terrane/talk/channel.hpp"
#include "terrane/thread/task.hpp"

namespace terrane {

/// co_await received(way): the next item.
template <wire_value T>
class received {
 public:
  explicit received(channel<T> way) : way_(way) {}
  static bool await_ready() noexcept { return false; }
  template <waiting_promise Promise>
  bool await_suspend(std::coroutine_handle<Promise> waits) {
    way_.receive(come_, waits.promise().expect());
    return waits.promise().must_wait();
  }
  T await_resume() const { return come_; }

 private:
  channel<T> way_;
  T come_{};
};

/// co_await sent(way, item): until there was room for it, or at a rendezvous, until it is received.
template <wire_value T>
auto sent(channel<T> way, const std::type_identity_t<T>& item) {
  return signalled([way, item](slot_ref done) { way.send(item, done); });
}

}  // namespace terrane
