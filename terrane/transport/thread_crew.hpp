// SPDX-License-Identifier: Apache-2.0
// thread_crew.hpp: the crew of worlds that run: a thread a processor, the host's clock, and the
// ladder of idleness.
//
// Idleness    An idle processor listens: it asks its pollers and looks at its node's pool all the
//             time, and goes on to ask between the first fibers that it then runs, up to the first
//             that spawns: so a short answer costs nobody a change of state. It spins for some
//             microseconds (not at all when there are more processors than cores), then yields,
//             then sleeps until a message, a token, a timer or what a poller waits for.
// Pollers     The first that is added is the rings, as a rule: what it has is announced by
//             processor::notice, and a busy processor takes it then (wire::poll). Others a busy
//             processor asks whenever it looks up from its work (crew::look_outside).
// Invariants  Whoever has something for a processor makes it visible first and asks for its state
//             second; see parker.hpp for why nothing is overlooked.
#pragma once

#include <pthread.h>

#include <functional>
#include <vector>

#include "terrane/base/clock.hpp"
#include "terrane/base/parker.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/core/crew.hpp"
#include "terrane/core/place.hpp"
#include "terrane/transport/poller.hpp"

namespace terrane {

struct crew_options {
  bool spin = true;                     // there is a core for every processor
  std::vector<int> cpu_of_processor{};  // to pin each to; empty: do not
  std::size_t stack_bytes = std::size_t{8} << 20;
  double rare = 0;                // share of rare branches taken early (base/rare.hpp)
  std::uint64_t seed = 1;         // of the dice for that
  bool asks_while_asleep = true;  // false, for tests: nothing but a wake-up ends a sleep
};

/// Where the processors' parkers lie: of all of the machine, in memory that all wakers see.
struct parker_row {
  unsigned char* first;
  std::size_t stride;
};

class thread_crew final : public crew {
 public:
  /// gather: by one thread of the process when its processors are there; returns when those of all
  /// other processes are, too, with the time (monotonic_ns) at which the run began.
  thread_crew(crew_options options, parker_row parkers, std::function<std::uint64_t()> gather);

  /// Before run().
  void add(poller& source) { pollers_.push_back(&source); }

  parker& parker_of(processor_id p) const {
    return *reinterpret_cast<parker*>(parkers_.first + parkers_.stride * p);
  }
  /// Ends that sleep, if it is one still. A processor that sleeps on a poller's own place is woken
  /// from its own process alone.
  bool wake_sleeper(processor_id sleeper);
  /// Others interrupt `here` from now on, unless it runs a message's handler: it listens no longer.
  void attend_if_listening(processor& here);
  std::vector<rare_probe> probes() const;

  std::uint64_t now() override { return monotonic_ns() - start_ns_.load(memory_order_relaxed); }
  bool wake(processor& sleeper) override;
  void spawning(processor& here) override { attend_if_listening(here); }
  bool asks_while_asleep() const override { return options_.asks_while_asleep; }
  void look_outside(processor& here) override;
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
  std::vector<poller*> pollers_;
  // of the run; of this object until then. relaxed: processors come after it by their barrier, and
  // who else looks may see either.
  atomic<std::uint64_t> start_ns_;
  pthread_barrier_t all_there_;
  // of the processors of this process; first_: the number of the first
  processor_id first_ = 0;
  std::vector<sleeping_place*> places_;  // null: the parker
  std::vector<rare_dice> dice_;
};

}  // namespace terrane
