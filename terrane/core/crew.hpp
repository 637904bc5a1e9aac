// SPDX-License-Identifier: Apache-2.0
// crew.hpp: who runs the processors: threads and their clock, idleness, sleep and wake.
//
// Invariants  Nothing above transport/ and machine/ reaches past it for time, threads or waiting.
//             Whoever makes something visible to a sleeping processor then wakes it.
#pragma once

#include <cstdint>
#include <span>

namespace terrane {

class processor;

class crew {
 public:
  /// simulated: its clock is virtual, and one thread runs all processors in turns.
  explicit crew(bool simulated) : simulated_(simulated) {}

  bool is_simulated() const { return simulated_; }
  /// Nanoseconds since the run began.
  virtual std::uint64_t now() = 0;

  /// Any thread: ends the sleep of a processor, after what it shall see is visible. True if it
  /// slept.
  virtual bool wake(processor& sleeper) = 0;
  /// The fiber that runs is about to spawn, and was stopped for it (own_tokens::raise_marks).
  virtual void spawning(processor& /*here*/) {}
  /// The processor looks up from its work, as it does now and then: takes what has come for it from
  /// outside the machine, which nobody announced.
  virtual void look_outside(processor& /*here*/) {}
  /// The longest that an idle processor waits before it tells the balancer so again.
  virtual std::uint64_t ask_ns_max() const { return 20'000'000; }
  /// True: it ends its sleep for that. False, for tests: a wake-up that is lost ends no sleep.
  virtual bool asks_while_asleep() const { return true; }

  /// Runs every processor of this process until each has been told to stop. Called once.
  virtual void run(std::span<processor* const> processors) = 0;

 protected:
  ~crew() = default;

 private:
  const bool simulated_;
};

}  // namespace terrane
