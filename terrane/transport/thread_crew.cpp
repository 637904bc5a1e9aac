// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/thread_crew.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "terrane/base/stack_guard_word.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t spin_ns = 20'000;   // after this, yield
constexpr std::uint64_t yield_ns = 60'000;  // after this, sleep
constexpr std::uint32_t quick_looks = 32;
constexpr std::uint32_t listening_turns = 32;  // after idleness, before others must interrupt it

/// An event of the class `time`. The clock is read if any class is traced: the next fiber starts
/// now.
template <event_id Id>
void record_time(processor& self) {
  if (TERRANE_LIKELY(!self.writer().has_stamps())) return;
  self.writer().look();
  if (self.records(event_class::time)) self.writer().put<Id>();
}

}  // namespace

thread_crew::thread_crew(crew_options options, parker_row parkers,
                         std::function<std::uint64_t()> gather)
    : crew(false),
      options_(std::move(options)),
      parkers_(parkers),
      gather_(std::move(gather)),
      outside_(options_.first_asks),
      start_ns_(monotonic_ns()) {}

std::vector<rare_probe> thread_crew::probes() const {
  std::vector<const rare_dice*> of_threads;
  of_threads.reserve(dice_.size());
  for (const rare_dice& each : dice_) of_threads.push_back(&each);
  return rare_probes("local", of_threads);
}

// --- sleep and wake ---

bool thread_crew::wake(processor& sleeper) {
  return parker_of(sleeper.number).is_parked() && wake_sleeper(sleeper.number);
}

bool thread_crew::wake_sleeper(processor_id sleeper) {
  parker& its = parker_of(sleeper);
  sleeping_place* const place =
      sleeper - first_ < places_.size() ? places_[sleeper - first_] : nullptr;
  if (!place) return its.wake_sleeper();
  if (!its.take_sleeper()) return false;
  place->wake();
  return true;
}

/// Prepares pollers until one of them has something, and returns how many are prepared.
std::size_t thread_crew::prepare_sleep(processor& self) {
  std::size_t prepared = 0;
  while (prepared < pollers_.size() && pollers_[prepared]->prepare_sleep(self)) ++prepared;
  return prepared;
}

void thread_crew::sleep(processor& self, std::uint64_t until) {
  parker& its = parker_of(self.number);
  its.prepare();
  const std::uint64_t at = now(), longest = options_.longest_sleep_ns;
  const bool shortened = longest > 0 && until - std::min(at, until) > longest;
  if (shortened) until = at + longest;
  const std::size_t prepared = prepare_sleep(self);
  if (prepared < pollers_.size() || self.has_work() || until <= at) {
    its.listen();
  } else {
    record_time<event_id::sleep_began>(self);
    const std::int64_t limit = until == timers::never ? -1 : static_cast<std::int64_t>(until - at);
    if (sleeping_place* const place = places_[self.number - first_]) {
      place->sleep(limit);
      its.listen();
    } else {
      its.sleep(limit);
    }
    record_time<event_id::sleep_ended>(self);
  }
  if (shortened && now() >= until && (self.has_work() || has_news(self)))
    ++self.counts().late_wake_ups;
  for (std::size_t i = 0; i < prepared; ++i) pollers_[i]->end_sleep(self);
}

// --- pollers ---

bool thread_crew::has_news(const processor& here) const {
  for (poller* each : pollers_)
    if (each->has_news(here)) return true;
  return false;
}

void thread_crew::take_all(processor& here) {
  for (poller* each : pollers_) each->take(here);
}

/// Skips the first poller: its messages are announced by notice().
void thread_crew::look_outside(processor& here) {
  for (std::size_t i = 1; i < pollers_.size(); ++i)
    if (pollers_[i]->has_news(here)) pollers_[i]->take(here);
}

/// Where only the first processor may ask, it may sleep without knowing of anything to ask for.
void thread_crew::await_outside(processor& here, const outside_request& what) {
  outside_.add(what);
  if (!outside_.asks(here)) wake(outside_.first());
}

/// Others interrupt this processor from here on, until it is idle again.
void thread_crew::attend(processor& here) {
  parker_of(here.number).attend();
  here.keep_to_loop(ready_queue::world_listens, false);
  if (has_news(here)) take_all(here);  // it arrived while others saw this processor listen
}

void thread_crew::attend_if_listening(processor& here) {
  if (parker_of(here.number).is_listening() && !here.messages().in_handler) attend(here);
}

// --- threads ---

void thread_crew::run(std::span<processor* const> processors) {
  first_ = processors.front()->number;
  pollers_.push_back(&outside_);
  for (poller* each : pollers_) each->begin(processors);
  struct start {
    thread_crew* crew;
    processor* self;
  };
  const auto body = [](void* raw) -> void* {
    auto* what = static_cast<start*>(raw);
    what->crew->run_one(*what->self);
    return nullptr;
  };
  std::vector<start> starts;
  for (processor* each : processors) {
    starts.push_back({this, each});
    places_.push_back(nullptr);
    for (poller* source : pollers_)
      if (sleeping_place* const place = source->sleeps_on(*each)) places_.back() = place;
    dice_.emplace_back(options_.rare, options_.seed, each->number);
  }
  pthread_barrier_init(&all_there_, nullptr, static_cast<unsigned>(processors.size()));
  std::vector<pthread_t> threads(processors.size());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, options_.stack_bytes);
  const std::size_t first_apart = options_.first_stays ? 1 : 0;
  for (std::size_t i = first_apart; i < processors.size(); ++i)
    if (const int problem = pthread_create(&threads[i], &attributes, body, &starts[i]);
        problem != 0) {
      std::fprintf(stderr, "terrane: could not start thread %zu of %zu: %s\n", i + 1,
                   processors.size(), std::strerror(problem));
      std::_Exit(1);
    }
  pthread_attr_destroy(&attributes);
  if (options_.first_stays) {
    cpu_set_t before;  // the thread is its caller's again afterwards
    const bool known = pthread_getaffinity_np(pthread_self(), sizeof before, &before) == 0;
    run_one(*processors[0]);
    if (known) pthread_setaffinity_np(pthread_self(), sizeof before, &before);
  }
  for (std::size_t i = first_apart; i < threads.size(); ++i) pthread_join(threads[i], nullptr);
  for (poller* each : pollers_) each->end();
  pthread_barrier_destroy(&all_there_);
}

void thread_crew::run_one(processor& self) {
  if (self.number < options_.cpu_of_processor.size()) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(options_.cpu_of_processor[self.number], &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);  // the run goes on if this fails
  }
  if (pthread_barrier_wait(&all_there_) == PTHREAD_BARRIER_SERIAL_THREAD)
    start_ns_.store(gather_(), memory_order_relaxed);
  pthread_barrier_wait(&all_there_);
  const agreed_guard_word agreed(options_.guard_word);
  self.bind(options_.stack_bytes);
  rare_dice_here = &dice_[self.number - first_];
  self.writer().look();
  const parker& its = parker_of(self.number);
  for (std::uint32_t turns = 0; !self.stopping(); ++turns) {
    if (its.is_listening()) {
      if (turns == listening_turns) attend(self);
      if (has_news(self)) take_all(self);
    }
    if (self.turn()) continue;
    idle(self);
    turns = 0;
  }
  // The processor that ended the run, number 0, may still have to tell the others. They take
  // messages until they are told.
  if (self.number == 0)
    for (poller* each : pollers_)
      while (!each->finish(self)) sched_yield();
  terrane_here = TERRANE_NO_PROCESSOR;
  rare_dice_here = nullptr;
}

// --- idleness ---

/// Only looks for work and messages, until about a microsecond after the last message: an answer
/// may be on its way. True when there is work or the run is over.
bool thread_crew::await_answer(processor& self) {
  for (std::uint32_t looks = 0; looks < quick_looks; ++looks) {
    if (has_news(self)) {
      take_all(self);
      if (self.stopping() || self.has_work()) return true;
      looks = 0;
    }
    if (self.has_work()) return true;
    pause_core();
  }
  return false;
}

void thread_crew::idle(processor& self) {
  self.idle_began();
  record_time<event_id::idle_began>(self);
  time_split& times = self.times();
  parker& its = parker_of(self.number);
  const std::uint64_t start = now(), elsewhere = times.balance + times.poll;
  std::uint64_t time = start, last_message = start;
  while (!self.stopping()) {
    if (!its.is_listening()) its.listen();
    if (has_news(self) || time == start) {
      if (options_.spin && await_answer(self)) break;
      take_all(self);
      last_message = now();
    }
    if (self.has_work()) {
      self.heed_if_asked();
      if (self.stopping() || self.has_work()) break;
    }
    for (poller* each : pollers_) each->rest(self);
    time = now();
    const bool to_sleep = time >= last_message + yield_ns;
    const std::uint64_t next = self.while_idle(to_sleep);
    if (self.stopping() || self.has_work()) continue;
    if (options_.spin && time < last_message + spin_ns) {
      for (int i = 0; i < 16 && !has_news(self); ++i) pause_core();
    } else if (!to_sleep) {
      sched_yield();
    } else {
      sleep(self, next);
    }
  }
  self.keep_to_loop(ready_queue::world_listens, its.is_listening());
  self.tokens().raise_marks();  // the next spawn asks the world first
  self.idle_ended();
  record_time<event_id::idle_ended>(self);
  const std::uint64_t idle_ns =
      time - start - std::min(time - start, times.balance + times.poll - elsewhere);
  times.idle += idle_ns;
  self.was_idle(idle_ns, time);
}

}  // namespace terrane
