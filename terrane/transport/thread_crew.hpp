// SPDX-License-Identifier: Apache-2.0
// thread_crew.hpp: the crew of worlds that run in real time: a thread per processor, the host's
// clock, and the stages of idleness.
//
// Idleness    An idle processor listens: it continually asks its pollers and looks at its node's
//             pool. It still asks its pollers between the first fibers that it then runs, until one
//             of them spawns. So a short answer costs no change of state. An idle processor spins
//             for some microseconds (not at all if there are more processors than cores), then
//             yields, then sleeps until a message, a token, a timer or a poller's event arrives.
// Pollers     The first poller is normally the rings. Their messages are announced by
//             processor::notice, and a busy processor then takes them (wire::poll). A busy
//             processor asks the other pollers only at intervals (crew::look_outside).
// Invariants  A thread that has something for a processor first makes it visible and then loads the
//             processor's state; see parker.hpp for why nothing is overlooked.
#pragma once

#include <pthread.h>

#include <functional>
#include <vector>

#include "terrane/base/clock.hpp"
#include "terrane/base/parker.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/core/crew.hpp"
#include "terrane/core/place.hpp"
#include "terrane/transport/outside_requests.hpp"
#include "terrane/transport/poller.hpp"

namespace terrane {

struct crew_options {
  bool spin = true;                     // there is a core for every processor
  std::vector<int> cpu_of_processor{};  // CPU to pin each to; empty: none is pinned
  std::size_t stack_bytes = std::size_t{8} << 20;
  bool first_stays = false;  // the first processor runs on the thread that calls run()
  bool first_asks = false;   // only its thread may ask for what comes from outside
  double rare = 0;           // share of rare branches taken early (base/rare.hpp)
  std::uint64_t seed = 1;    // of the random numbers that decide it
  // Above 0: only a wake-up, a timer or this many nanoseconds end a sleep, and a sleep that lasts
  // that long while there is something to do is counted. So a lost wake-up is seen. 0: a sleep
  // also ends when the balancer is to be asked again, which hides it.
  std::uint64_t longest_sleep_ns = 0;
  std::uint64_t guard_word = 0;  // of the stacks (base/stack_guard_word.hpp); 0: as it is
};

/// Where the parkers of all the machine's processors lie, in memory that all wakers see.
struct parker_row {
  unsigned char* first;
  std::size_t stride;
};

class thread_crew final : public crew {
 public:
  /// gather: one thread of the process calls it when all its processors have started. It returns
  /// when those of all other processes have, too, with the time (monotonic_ns) at which the run
  /// began.
  thread_crew(crew_options options, parker_row parkers, std::function<std::uint64_t()> gather);

  /// Adds a poller. Call it before run().
  void add(poller& source) { pollers_.push_back(&source); }

  parker& parker_of(processor_id p) const {
    return *reinterpret_cast<parker*>(parkers_.first + parkers_.stride * p);
  }
  /// Ends the sleep of a processor that was seen parked; false if it is awake already. Only threads
  /// of its own process can wake a processor that sleeps on a poller's sleeping_place.
  bool wake_sleeper(processor_id sleeper);
  /// If `here` listens and runs no message handler: it stops listening, and others interrupt it
  /// from now on.
  void attend_if_listening(processor& here);
  std::vector<rare_probe> probes() const;

  std::uint64_t now() override { return monotonic_ns() - start_ns_.load(memory_order_relaxed); }
  bool wake(processor& sleeper) override;
  void spawning(processor& here) override { attend_if_listening(here); }
  bool asks_while_asleep() const override { return options_.longest_sleep_ns == 0; }
  void look_outside(processor& here) override;
  void await_outside(processor& here, const outside_request& what) override;
  bool asks_outside(const processor& here) const override { return outside_.asks(here); }
  bool awaits_outside() const override { return outside_.any(); }
  void run(std::span<processor* const> processors) override;

 private:
  void attend(processor& here);
  bool has_news(const processor& here) const;
  void take_all(processor& here);
  void run_one(processor& self);
  bool await_answer(processor& self);
  void idle(processor& self);
  void sleep(processor& self, std::uint64_t until);
  std::size_t prepare_sleep(processor& self);

  const crew_options options_;
  const parker_row parkers_;
  const std::function<std::uint64_t()> gather_;
  outside_requests outside_;
  std::vector<poller*> pollers_;
  // When the run began; until then, when this object was made. relaxed: the barrier orders the
  // store before the processors' loads, and for any other reader either value will do.
  atomic<std::uint64_t> start_ns_;
  pthread_barrier_t all_there_;
  // of the processors of this process; first_: the number of the first
  processor_id first_ = 0;
  std::vector<sleeping_place*> places_;  // null: the parker
  std::vector<rare_dice> dice_;
};

}  // namespace terrane
