// SPDX-License-Identifier: Apache-2.0
// ring_transport.hpp: processors that share memory: what the worlds local and shm have in common.
//
// Messages    One ring of records a processor, in memory that all senders see. A message is written
//             straight into its receiver's ring. When that is full, or its reader is behind, it
//             waits in the sender's outbox, where small ones are packed; the outbox is sent on at
//             the sender's next poll. A sender whose outbox has grown long takes messages, and runs
//             nothing, until it has room again: so memory stays bounded, and since everybody who
//             waits takes messages, two that wait for each other go on.
// Large ones  The sender makes a copy where its receiver can read it, and the message says where.
// Idleness    An idle processor listens: it looks at its ring and its node's pool all the time, and
//             goes on to look between the first fibers that it then runs, up to the first that
//             spawns: so a short answer costs nobody a change of state. It spins for some
//             microseconds (not at all when there are more processors than cores), then yields,
//             then sleeps on its parker until a message, a token or a timer.
// Invariants  A sender publishes first and asks for the receiver's state second; see parker.hpp for
//             why nothing is overlooked.
#pragma once

#include <pthread.h>

#include <memory>
#include <vector>

#include "terrane/base/clock.hpp"
#include "terrane/base/parker.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/base/record_ring.hpp"
#include "terrane/core/world.hpp"
#include "terrane/transport/outbox.hpp"

namespace terrane {

struct ring_options {
  std::uint32_t processors = 1;       // of the whole machine
  bool spin = true;                   // there is a core for every processor
  std::vector<int> cpu_of_processor;  // to pin each to; empty: do not
  std::size_t stack_bytes = std::size_t{8} << 20;
  double rare = 0;         // share of rare branches taken early (base/rare.hpp)
  std::uint64_t seed = 1;  // of the dice for that
};

/// Where others find a processor; its ring follows.
struct alignas(64) ring_place {
  parker sleep;
};

class ring_transport : public world, public wire, public crew {
 public:
  static constexpr std::size_t ring_lines = 2048;
  static constexpr std::size_t place_bytes =
      sizeof(ring_place) + record_ring::bytes_for(ring_lines);
  /// Beyond this a message is large.
  static constexpr std::size_t small_bytes_max = 8192;
  static_assert(small_bytes_max <= packed_head::size_max);

  /// Makes the places ready. By one process, before anybody sends.
  static void make_places(unsigned char* places, std::uint32_t processors);

  std::uint64_t now() override;
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
  void poll(processor& here) override;
  void spawning(processor& here) override;
  bool wake(processor& sleeper) override;
  void describe(world_statistics& to) const override;
  void run(std::span<processor* const> processors) override;

 protected:
  /// places: place_bytes for each processor, zeroed; they outlive this.
  ring_transport(ring_options, unsigned char* places, terrane::neighbours* others,
                 terrane::losses* lost);
  ~ring_transport() override;

  // --- what differs between the worlds ---

  /// Memory for a large message of that sender; every process of the run can read it.
  virtual unsigned char* new_block(processor& from, std::size_t bytes) = 0;
  /// The receiver has read it.
  virtual void block_read(const large_message& where) = 0;
  /// A busy processor has something in its ring.
  virtual void rouse(processor_id to) = 0;
  /// By one thread of each process when its processors are there: returns when all the others are,
  /// too, with the time at which the run began.
  virtual std::uint64_t gather() = 0;

  /// Gives back the blocks that nobody took before the end; by one thread.
  void drop_large_left();
  const ring_options& options() const { return options_; }
  ring_place& place(processor_id of) const {
    return *reinterpret_cast<ring_place*>(places_ + place_bytes * of);
  }
  record_ring& ring(processor_id of) const {
    return *reinterpret_cast<record_ring*>(&place(of) + 1);
  }

 private:
  /// True for a processor of this process.
  bool is_here(processor_id p) const { return p - first_ < outboxes_.size(); }
  outbox& outbox_of(const processor& here);
  void* reserve(processor_id to, std::size_t bytes);
  void publish(processor_id to, void* room, std::size_t bytes);
  bool push(const outbox::view& full);
  void roused(processor_id to);
  bool flush(outbox& mine);
  void take_all(processor& here);
  void attend(processor& here);
  void send_small(processor& from, processor_id to, packed_head about, bytes_view head,
                  bytes_view body);
  void send_apart(processor& from, processor_id to, packed_head about, bytes_view head,
                  bytes_view body);
  void send_large(processor& from, processor_id to, entry kind, bytes_view head, bytes_view body);
  template <class Each>
  static void for_each_message(const unsigned char* data, std::size_t bytes, Each&& each);
  void run_one(processor& self);
  bool await_answer(processor& self);
  void idle(processor& self);

  const ring_options options_;
  unsigned char* const places_;
  // of the run; of this object until then. relaxed: processors come after it by their barrier, and
  // who else looks may see either.
  atomic<std::uint64_t> start_ns_;
  pthread_barrier_t all_there_;
  // of the processors of this process; first_: the number of the first
  processor_id first_ = 0;
  std::vector<std::unique_ptr<outbox>> outboxes_;
  std::vector<rare_dice> dice_;
};

}  // namespace terrane
