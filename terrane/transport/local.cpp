// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/local.hpp"

#include <sched.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "terrane/base/check.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

namespace {

constexpr std::size_t inbox_cells = 1024;
constexpr std::uint64_t spin_ns = 20'000;   // then yield
constexpr std::uint64_t yield_ns = 60'000;  // then sleep

std::uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

/// 120 bytes, so that with the ring's turn a cell is two cache lines.
struct local_transport::cell {
  static constexpr std::size_t small_bytes = 104;
  entry kind;
  processor_id from;
  std::uint64_t size;
  // Up to small_bytes here; more in a block that the receiver frees, whose address is here.
  alignas(8) unsigned char data[small_bytes];
};

struct local_transport::place {
  explicit place(const rare_dice& of_thread) : inbox(inbox_cells), dice(of_thread) {}
  inbox_ring<cell> inbox;
  parker sleep;
  // the owner only: messages that found a full ring, per receiver, in order
  struct waiting {
    processor_id to;
    cell filled;
  };
  std::deque<waiting> unsent;
  rare_dice dice;
};

local_transport::local_transport(local_options options)
    : options_(std::move(options)), start_(monotonic_ns()) {
  static_assert(sizeof(cell) == 120);
  for (std::uint32_t i = 0; i < options_.processors; ++i)
    places_.push_back(std::make_unique<place>(rare_dice(options_.rare, options_.seed, i)));
}

local_transport::~local_transport() {
  // What nobody took before the end still owns its blocks.
  const auto drop = [](const cell& left) {
    if (left.size <= cell::small_bytes) return;
    void* block;
    std::memcpy(&block, left.data, sizeof block);
    std::free(block);
  };
  for (auto& each : places_) {
    for (cell left; each->inbox.pop(left);) drop(left);
    for (const auto& left : each->unsent) drop(left.filled);
  }
}

std::uint64_t local_transport::now() { return monotonic_ns() - start_; }

// --- messages ---

void local_transport::send(processor& from, processor_id to, entry kind, bytes_view head,
                           bytes_view body) {
  cell filled;
  filled.kind = kind;
  filled.from = from.number;
  filled.size = head.size + body.size;
  unsigned char* data = filled.data;
  if (filled.size > cell::small_bytes) {
    data = static_cast<unsigned char*>(std::malloc(filled.size));
    TERRANE_CHECK(data != nullptr);
    std::memcpy(filled.data, &data, sizeof data);
  }
  if (head.size != 0) std::memcpy(data, head.data, head.size);
  if (body.size != 0) std::memcpy(data + head.size, body.data, body.size);

  place& mine = *places_[from.number];
  flush(mine);
  if (mine.unsent.empty() && push(to, filled)) return;
  mine.unsent.push_back({to, filled});
  from.notice();  // to try again at the next poll
}

bool local_transport::push(processor_id to, const cell& filled) {
  if (TERRANE_RARE("local.inbox_is_full", !places_[to]->inbox.push(filled))) return false;
  processors_[to]->notice();
  places_[to]->sleep.wake();
  return true;
}

/// One full receiver holds back what its sender has for others: the order costs nothing to keep,
/// and a full ring is rare.
void local_transport::flush(place& mine) {
  while (!mine.unsent.empty() && push(mine.unsent.front().to, mine.unsent.front().filled))
    mine.unsent.pop_front();
}

void local_transport::poll(processor& here) {
  place& mine = *places_[here.number];
  for (cell next; mine.inbox.pop(next);) deliver(here, next);
  if (mine.unsent.empty()) return;
  flush(mine);
  if (!mine.unsent.empty()) here.notice();
}

void local_transport::deliver(processor& here, const cell& filled) {
  if (filled.size <= cell::small_bytes) {
    handle(here, {filled.kind, filled.from, filled.size, filled.data});
    return;
  }
  unsigned char* block;
  std::memcpy(&block, filled.data, sizeof block);
  handle(here, {filled.kind, filled.from, filled.size, block});
  std::free(block);
}

void local_transport::post_note(node& from, node_id to, const note& what, int load) {
  nodes_[to]->note_arrived(from.number(), what, load);
}

void local_transport::post_token(node& from, node_id to, const terrane_token& token, int load) {
  nodes_[to]->token_arrived(from.number(), token, load);
}

bool local_transport::wake(processor& sleeper) { return places_[sleeper.number]->sleep.wake(); }

void local_transport::describe(world_statistics& to) const {
  std::vector<const rare_dice*> of_threads;
  of_threads.reserve(places_.size());
  for (const auto& each : places_) of_threads.push_back(&each->dice);
  to.probes = rare_probes("local", of_threads);
}

// --- threads ---

void local_transport::run(std::span<processor* const> processors) {
  processors_ = processors;
  struct start {
    local_transport* world;
    processor* self;
  };
  const auto body = [](void* raw) -> void* {
    auto* what = static_cast<start*>(raw);
    what->world->run_one(*what->self);
    return nullptr;
  };
  std::vector<start> starts;
  for (processor* each : processors) starts.push_back({this, each});
  std::vector<pthread_t> threads(processors.size());
  pthread_barrier_init(&all_there_, nullptr, static_cast<unsigned>(processors.size()));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, options_.stack_bytes);
  for (std::size_t i = 0; i < processors.size(); ++i)
    if (const int problem = pthread_create(&threads[i], &attributes, body, &starts[i]);
        problem != 0) {
      std::fprintf(stderr, "terrane: could not start thread %zu of %zu: %s\n", i + 1,
                   processors.size(), std::strerror(problem));
      std::_Exit(1);
    }
  pthread_attr_destroy(&attributes);
  for (pthread_t each : threads) pthread_join(each, nullptr);
  pthread_barrier_destroy(&all_there_);
}

void local_transport::run_one(processor& self) {
  if (self.number < options_.cpu_of_processor.size()) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(options_.cpu_of_processor[self.number], &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);  // a wish: the run goes on without it
  }
  if (pthread_barrier_wait(&all_there_) == PTHREAD_BARRIER_SERIAL_THREAD) start_ = monotonic_ns();
  pthread_barrier_wait(&all_there_);
  self.bind(options_.stack_bytes);
  rare_dice_here = &places_[self.number]->dice;
  while (!self.stopping())
    if (!self.turn()) idle(self);
  // Whoever ended the run still owes the others the news; they take messages until they have it.
  for (place& mine = *places_[self.number]; self.number == 0 && !mine.unsent.empty(); flush(mine))
    sched_yield();
  terrane_here = nullptr;
  rare_dice_here = nullptr;
}

void local_transport::idle(processor& self) {
  self.idle_began();
  time_split& times = self.times();
  const std::uint64_t start = now(), elsewhere = times.balance + times.poll;
  parker& sleep = places_[self.number]->sleep;
  const std::uint64_t spin_until = start + (options_.spin ? spin_ns : 0);
  const std::uint64_t yield_until = start + yield_ns;
  while (!self.stopping()) {
    if (self.has_work()) {
      self.heed();
      if (self.stopping() || self.has_work()) break;
    }
    const std::uint64_t time = now();
    const bool to_sleep = time >= yield_until;
    const std::uint64_t next = self.while_idle(to_sleep);
    if (self.stopping() || self.has_work()) continue;
    if (time < spin_until) {
      for (int i = 0; i < 16; ++i) pause_core();
    } else if (!to_sleep) {
      sched_yield();
    } else {
      sleep.prepare();
      const std::uint64_t at = now();
      if (self.has_work() || next <= at)
        sleep.cancel();
      else
        sleep.sleep(next == timers::never ? -1 : static_cast<std::int64_t>(next - at));
    }
  }
  self.idle_ended();
  times.idle += now() - start - (times.balance + times.poll - elsewhere);
}

}  // namespace terrane
