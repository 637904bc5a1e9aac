// SPDX-License-Identifier: Apache-2.0
// crew.hpp: the interface to what runs the processors: threads, their clock, idling, sleep, waking.
//
// Invariants  Outside transport/ and machine/, code gets time, threads and waiting only through
//             this interface. A thread that makes something visible to a sleeping processor wakes
//             it afterwards.
#pragma once

#include <cstdint>
#include <span>

#include "terrane/terrane.h"

namespace terrane {

class processor;

/// Something outside the machine that tells nobody when it is done.
struct outside_request {
  bool (*is_done)(void* about);
  void* about;
  terrane_slot_ref done;  // to be signalled then
};

class crew {
 public:
  /// simulated: the clock is virtual, and one thread runs all processors in turns.
  explicit crew(bool simulated) : simulated_(simulated) {}

  bool is_simulated() const { return simulated_; }
  /// Nanoseconds since the run began.
  virtual std::uint64_t now() = 0;

  /// Ends the sleep of a processor. May be called by any thread, once what the sleeper is to see
  /// is visible. True if it slept.
  virtual bool wake(processor& sleeper) = 0;
  /// Called when the running fiber is about to spawn and a raised mark has stopped the spawn
  /// (own_tokens::raise_marks).
  virtual void spawning(processor& /*here*/) {}
  /// Called now and then between turns of the loop: takes what has come for the processor from
  /// outside the machine, because no thread announces that.
  virtual void look_outside(processor& /*here*/) {}
  /// Asks again and again, on threads for which asks_outside() is true, until it is done; then
  /// signals. By itself: asks here until it is.
  virtual void await_outside(processor& /*here*/, const outside_request& what) {
    while (!what.is_done(what.about)) {}
    terrane_signal(what.done);
  }
  virtual bool asks_outside(const processor& /*here*/) const { return true; }
  /// True while something outside is awaited that will be signalled.
  virtual bool awaits_outside() const { return false; }
  /// The longest time that an idle processor waits before it tells the balancer again that it is
  /// idle.
  virtual std::uint64_t ask_ns_max() const { return 20'000'000; }
  /// True: a sleeping processor wakes up to tell the balancer. False: it does not
  /// (--longest-sleep).
  virtual bool asks_while_asleep() const { return true; }

  /// Runs every processor of this process until each has been told to stop. Called once.
  virtual void run(std::span<processor* const> processors) = 0;

 protected:
  ~crew() = default;

 private:
  const bool simulated_;
};

}  // namespace terrane
