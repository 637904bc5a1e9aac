// SPDX-License-Identifier: Apache-2.0
// poller.hpp: a source of news for processors: rings in memory, a socket, a device, a completion
// queue. An idle processor asks every poller that its crew has (thread_crew.hpp).
//
// Argument    A processor that is about to sleep first says so (parker.hpp), then asks each poller
//             to prepare: from there on whatever comes must end that sleep, by crew::wake or by
//             what the processor sleeps on. What came before is seen by prepare_sleep itself.
// Source      Seastar's pollfn: poll, pure_poll, try_enter_interrupt_mode, exit_interrupt_mode.
#pragma once

#include <cstdint>
#include <span>

namespace terrane {

class processor;

/// What a processor sleeps on in place of a futex, as its sockets and an eventfd are.
class sleeping_place {
 public:
  /// Returns after wake(), at the deadline (nanoseconds from now; below 0: none), when what the
  /// poller waits for comes, or spuriously. By its processor.
  virtual void sleep(std::int64_t nanoseconds) = 0;
  /// Ends a sleep, or the next one if there is none. Any thread of this process.
  virtual void wake() = 0;

 protected:
  ~sleeping_place() = default;
};

/// Functions that take `here` are called by that processor's thread.
class poller {
 public:
  /// The processors of this process, before any of them runs. By one thread.
  virtual void begin(std::span<processor* const>) {}
  /// Takes what has come: hands messages to handle(), notes and tokens to the node.
  virtual void take(processor& here) = 0;
  /// True if take() would find something. Asked all the time while `here` is idle.
  virtual bool has_news(const processor& here) = 0;
  /// Found nothing to do: gives back what it keeps from others.
  virtual void rest(processor& /*here*/) {}
  /// False: something has come, and there is no sleep. True: end_sleep follows.
  virtual bool prepare_sleep(processor& here) { return !has_news(here); }
  virtual void end_sleep(processor& /*here*/) {}
  /// What `here` is to sleep on; null: that is left to others. One poller may say so.
  virtual sleeping_place* sleeps_on(processor& /*here*/) { return nullptr; }
  /// The run is over: sends what others still wait for. False: it is to be asked again.
  virtual bool finish(processor& /*here*/) { return true; }

 protected:
  ~poller() = default;
};

}  // namespace terrane
