// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/ring_transport.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "terrane/base/check.hpp"
#include "terrane/base/sanitizers.hpp"
#include "terrane/core/node.hpp"

#ifdef TERRANE_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif

namespace terrane {

namespace {

constexpr std::uint64_t spin_ns = 20'000;   // then yield
constexpr std::uint64_t yield_ns = 60'000;  // then sleep
constexpr std::size_t packed_record_bytes = 4096;
constexpr std::uint64_t behind_lines = 64;  // a reader so far behind gets its messages packed
constexpr std::uint32_t quick_looks = 32;
constexpr std::uint32_t listening_turns = 32;  // after an idle time, before others must interrupt
constexpr std::size_t outbox_bytes_max = std::size_t{1} << 20;  // then no fiber runs

}  // namespace

ring_transport::ring_transport(ring_options options, unsigned char* places,
                               terrane::neighbours* others, terrane::losses* lost)
    : world({.wire = *this, .crew = *this, .neighbours = others, .losses = lost}),
      terrane::crew(false),
      options_(std::move(options)),
      places_(places),
      start_ns_(monotonic_ns()) {}

ring_transport::~ring_transport() = default;

void ring_transport::make_places(unsigned char* places, std::uint32_t processors) {
  for (std::uint32_t i = 0; i < processors; ++i) {
    unsigned char* const memory = places + place_bytes * i;
    ::new (memory) ring_place;
    record_ring::make_in(memory + sizeof(ring_place), ring_lines);
  }
}

std::uint64_t ring_transport::now() {
  return monotonic_ns() - start_ns_.load(memory_order_relaxed);
}

// --- sending ---

inline outbox& ring_transport::outbox_of(const processor& here) {
  return *outboxes_[here.number - first_];
}

// What processors of this process write into one line of another process's ring follows one another
// by way of its reader: its acquire of the header, its release of head_. ThreadSanitizer does not
// see that process, and is told: what was written before publish() comes before what is written
// after a later reserve(); the store of the header, which comes too late for that, is not recorded.
// Likewise what goes to other processes comes before what comes from them: one may cause the other.
[[gnu::always_inline]] inline void* ring_transport::reserve(processor_id to, std::size_t bytes) {
  void* room = nullptr;
  if (TERRANE_RARE("local.inbox_is_full", (room = ring(to).reserve(bytes)) == nullptr))
    return nullptr;
#ifdef TERRANE_TSAN
  if (!is_here(to)) __tsan_acquire(&ring(to));
#endif
  return room;
}
[[gnu::always_inline]] inline void ring_transport::publish(processor_id to, void* room,
                                                           std::size_t bytes) {
#ifdef TERRANE_TSAN
  const bool elsewhere = !is_here(to);
  if (elsewhere) {
    __tsan_release(&ring(to));
    __tsan_release(this);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ring(to).publish(room, bytes);
  if (elsewhere) AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#else
  ring(to).publish(room, bytes);
#endif
  roused(to);
}

/// In the receiver's ring, if nothing waits and it keeps up; else in the outbox, as the first of a
/// record.
[[gnu::noinline]] void ring_transport::send_apart(processor& from, processor_id to,
                                                  packed_head about, bytes_view head,
                                                  bytes_view body) {
  outbox& mine = outbox_of(from);
  const std::size_t bytes = packed_bytes(about.size());
  record_ring& target = ring(to);
  const auto behind = [&] {
    return target.backlog_seen() > behind_lines && target.backlog() > behind_lines;
  };
  if (mine.empty()) {
    if (!behind())
      if (void* room = reserve(to, bytes)) {
        pack(static_cast<unsigned char*>(room), about, head, body);
        return publish(to, room, bytes);
      }
    from.notice();  // to send it at the next poll
  }
  pack(mine.room_apart(to, bytes), about, head, body);
}

/// Joins what waits for the same receiver, if there is something.
[[gnu::always_inline]] inline void ring_transport::send_small(processor& from, processor_id to,
                                                              packed_head about, bytes_view head,
                                                              bytes_view body) {
  if (unsigned char* const room =
          outbox_of(from).room_beside_last(to, packed_bytes(head.size + body.size)))
    return pack(room, about, head, body);
  send_apart(from, to, about, head, body);
}

void ring_transport::send(processor& from, processor_id to, entry kind, bytes_view head,
                          bytes_view body) {
  const std::size_t size = head.size + body.size;
  if (TERRANE_UNLIKELY(size > small_bytes_max)) return send_large(from, to, kind, head, body);
  send_small(from, to, {kind, false, from.number, size, from.sends_for()}, head, body);
}

void ring_transport::send_large(processor& from, processor_id to, entry kind, bytes_view head,
                                bytes_view body) {
  const std::size_t size = head.size + body.size;
  const large_message where{new_block(from, size), size};
  std::memcpy(where.block, head.data, head.size);
  if (body.size != 0) std::memcpy(where.block + head.size, body.data, body.size);
  send_small(from, to, {kind, true, from.number, sizeof where, from.sends_for()},
             {&where, sizeof where}, {});
}

void ring_transport::roused(processor_id to) {
  parker& sleep = place(to).sleep;
  if (sleep.is_busy())
    rouse(to);
  else
    sleep.wake();
}

bool ring_transport::push(const outbox::view& full) {
  if (losses && losses->is_lost(full.to)) return true;  // nobody will make room
  void* room = reserve(full.to, full.bytes);
  if (!room) return false;
  std::memcpy(room, full.data, full.bytes);
  publish(full.to, room, full.bytes);
  return true;
}

/// One full receiver holds back what its sender has for others: the order costs nothing to keep,
/// and a full ring is rare. True when nothing is left.
bool ring_transport::flush(outbox& mine) {
  while (!mine.empty() && push(mine.front())) mine.pop();
  return mine.empty();
}

bool ring_transport::wake(processor& sleeper) { return place(sleeper.number).sleep.wake(); }

// --- receiving ---

/// Others interrupt this processor from here on, as long as it is not idle again.
void ring_transport::attend(processor& here) {
  place(here.number).sleep.attend();
  here.let_threads_follow(true);
  if (!ring(here.number).empty()) take_all(here);  // came while they saw it listen
}

void ring_transport::spawning(processor& here) {
  if (place(here.number).sleep.is_listening() && !here.in_handler()) attend(here);
}

void ring_transport::poll(processor& here) {
  spawning(here);
  outbox& mine = outbox_of(here);
  for (;;) {
    take_all(here);
    if (flush(mine)) return;
    if (mine.bytes() <= outbox_bytes_max) break;
    sched_yield();  // its receiver may need this core
  }
  here.notice();
}

template <class Each>
void ring_transport::for_each_message(const unsigned char* data, std::size_t bytes, Each&& each) {
  for (const unsigned char* const end = data + bytes; data < end;) {
    const packed_head about(data);
    each(about, data + sizeof about);
    data += packed_bytes(about.size());
  }
}

void ring_transport::take_all(processor& here) {
  record_ring& mine = ring(here.number);
  const auto take = [&](packed_head about, const unsigned char* data) {
#ifdef TERRANE_TSAN
    if (!is_here(about.from())) __tsan_acquire(this);
#endif
    message what{about.kind(), about.from(), about.size(), data, about.said_at()};
    if (TERRANE_LIKELY(!about.large())) return handle(here, what);
    large_message where;
    std::memcpy(&where, data, sizeof where);
    what.size = where.size;
    what.data = where.block;
    handle(here, what);
    block_read(where);
  };
  while (const auto oldest = mine.front()) {
    for_each_message(oldest.data, oldest.bytes, take);
    mine.pop(oldest);
  }
}

void ring_transport::drop_large_left() {
  const auto look = [this](packed_head about, const unsigned char* data) {
    if (!about.large()) return;
    large_message where;
    std::memcpy(&where, data, sizeof where);
    block_read(where);
  };
  for (processor_id each = 0; each < options_.processors; ++each)
    while (const auto oldest = ring(each).front()) {
      for_each_message(oldest.data, oldest.bytes, look);
      ring(each).pop(oldest);
    }
  for (auto& each : outboxes_)
    for (; !each->empty(); each->pop())
      for_each_message(each->front().data, each->front().bytes, look);
}

void ring_transport::describe(world_statistics& to) const {
  std::vector<const rare_dice*> of_threads;
  of_threads.reserve(dice_.size());
  for (const rare_dice& each : dice_) of_threads.push_back(&each);
  to.probes = rare_probes("local", of_threads);
}

// --- threads ---

void ring_transport::run(std::span<processor* const> processors) {
  first_ = processors.front()->number;
  struct start {
    ring_transport* world;
    processor* self;
  };
  const auto body = [](void* raw) -> void* {
    auto* what = static_cast<start*>(raw);
    what->world->run_one(*what->self);
    return nullptr;
  };
  std::vector<start> starts;
  for (processor* each : processors) {
    starts.push_back({this, each});
    outboxes_.push_back(std::make_unique<outbox>(packed_record_bytes));
    dice_.emplace_back(options_.rare, options_.seed, each->number);
  }
  pthread_barrier_init(&all_there_, nullptr, static_cast<unsigned>(processors.size()));
  std::vector<pthread_t> threads(processors.size());
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

void ring_transport::run_one(processor& self) {
  if (self.number < options_.cpu_of_processor.size()) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(options_.cpu_of_processor[self.number], &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);  // a wish: the run goes on without it
  }
  if (pthread_barrier_wait(&all_there_) == PTHREAD_BARRIER_SERIAL_THREAD)
    start_ns_.store(gather(), memory_order_relaxed);
  pthread_barrier_wait(&all_there_);
  self.bind(options_.stack_bytes);
  rare_dice_here = &dice_[self.number - first_];
  parker& sleep = place(self.number).sleep;
  record_ring& mine = ring(self.number);
  for (std::uint32_t turns = 0; !self.stopping(); ++turns) {
    if (sleep.is_listening()) {
      if (turns == listening_turns) attend(self);
      if (!mine.empty()) take_all(self);
    }
    if (self.turn()) continue;
    idle(self);
    turns = 0;
  }
  // Whoever ended the run still owes the others the news; they take messages until they have it.
  outbox& unsent = outbox_of(self);
  while (self.number == 0 && !flush(unsent)) sched_yield();
  terrane_here = TERRANE_NO_PROCESSOR;
  rare_dice_here = nullptr;
}

/// Looks for work and messages, and does nothing else, until about a microsecond after the last of
/// them: an answer may be on its way. True when there is work.
bool ring_transport::await_answer(processor& self) {
  record_ring& mine = ring(self.number);
  for (std::uint32_t looks = 0; looks < quick_looks; ++looks) {
    if (!mine.empty()) {
      take_all(self);
      if (self.stopping() || self.has_work()) return true;
      looks = 0;
    }
    if (self.has_work()) return true;
    pause_core();
  }
  return false;
}

void ring_transport::idle(processor& self) {
  self.idle_began();
  time_split& times = self.times();
  record_ring& mine = ring(self.number);
  parker& sleep = place(self.number).sleep;
  const std::uint64_t start = now(), elsewhere = times.balance + times.poll;
  std::uint64_t time = start, last_message = start;
  while (!self.stopping()) {
    if (!sleep.is_listening()) sleep.listen();
    if (!mine.empty() || time == start) {
      if (options_.spin && await_answer(self)) break;
      take_all(self);
      last_message = now();
    }
    if (self.has_work()) {
      self.heed_if_asked();
      if (self.stopping() || self.has_work()) break;
    }
    mine.release();
    time = now();
    const bool to_sleep = time >= last_message + yield_ns;
    const std::uint64_t next = self.while_idle(to_sleep);
    if (self.stopping() || self.has_work()) continue;
    if (options_.spin && time < last_message + spin_ns) {
      for (int i = 0; i < 16 && mine.empty(); ++i) pause_core();
    } else if (!to_sleep) {
      sched_yield();
    } else {
      sleep.prepare();
      const std::uint64_t at = now();
      if (!mine.empty() || self.has_work() || next <= at)
        sleep.listen();
      else
        sleep.sleep(next == timers::never ? -1 : static_cast<std::int64_t>(next - at));
    }
  }
  self.let_threads_follow(!sleep.is_listening());
  self.stop_at_next_spawn();
  self.idle_ended();
  times.idle += time - start - std::min(time - start, times.balance + times.poll - elsewhere);
}

}  // namespace terrane
