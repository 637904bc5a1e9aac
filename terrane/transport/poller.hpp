// SPDX-License-Identifier: Apache-2.0
// poller.hpp: a source of news for processors: rings in memory, a socket, a device, a completion
// queue. An idle processor asks every poller that its crew has (thread_crew.hpp).
//
// Argument    A processor that is about to sleep first says so (parker.hpp), then asks each poller
//             to prepare. From there on any arrival must end that sleep, by crew::wake or by what
//             the processor sleeps on. An arrival before that is seen by prepare_sleep itself.
// Source      Seastar's pollfn: poll, pure_poll, try_enter_interrupt_mode, exit_interrupt_mode.
#pragma once

#include <cstdint>
#include <span>

namespace terrane {

class processor;

/// What a processor sleeps on instead of a futex, for example its sockets and an eventfd.
class sleeping_place {
 public:
  /// Returns after wake(), at the deadline (nanoseconds from now; below 0: none), when the poller's
  /// event occurs, or spuriously. Only its processor calls it.
  virtual void sleep(std::int64_t nanoseconds) = 0;
  /// Ends the current sleep or, if there is none, the next one. Any thread of this process may call
  /// it.
  virtual void wake() = 0;

 protected:
  ~sleeping_place() = default;
};

/// Functions with a parameter `here` are called by that processor's thread.
class poller {
 public:
  /// Receives the processors of this process, before any of them runs. One thread calls it.
  virtual void begin(std::span<processor* const>) {}
  /// Takes what has arrived: hands messages to handle(), notes and tokens to the node.
  virtual void take(processor& here) = 0;
  /// True if take() would find something. Called continually while `here` is idle.
  virtual bool has_news(const processor& here) = 0;
  /// `here` has found nothing to do: releases what others may be waiting for, such as read space.
  virtual void rest(processor& /*here*/) {}
  /// False if something has arrived; `here` does not sleep then. After true, end_sleep follows.
  virtual bool prepare_sleep(processor& here) { return !has_news(here); }
  virtual void end_sleep(processor& /*here*/) {}
  /// What `here` is to sleep on; null: this poller has nothing for that. At most one poller of a
  /// processor may return more than null.
  virtual sleeping_place* sleeps_on(processor& /*here*/) { return nullptr; }
  /// The run is over: sends what others still wait for. False: call it again.
  virtual bool finish(processor& /*here*/) { return true; }
  /// The processors of this process have ended. One thread calls it.
  virtual void end() {}

 protected:
  ~poller() = default;
};

}  // namespace terrane
