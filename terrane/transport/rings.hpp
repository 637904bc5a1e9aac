// SPDX-License-Identifier: Apache-2.0
// rings.hpp: messages between processors that share memory: in the worlds local and shm, and within
// a node of tcp and mpi.
//
// Messages    Each processor has one ring of records, in memory that all senders see. A sender
//             writes a message directly into its receiver's ring. If the ring is full or its reader
//             is behind, the message waits in the sender's outbox, where small messages are packed.
//             The sender's next poll sends the outbox. A sender whose outbox has grown too long
//             takes messages, and runs no fiber, until its outbox is short again, so memory stays
//             bounded. Every processor that waits takes messages, so two processors that wait for
//             each other both make progress.
// Large       The sender copies a large message to where the receiver can read it, and sends the
//             address.
// Invariants  A sender publishes first and asks for the receiver's state second; see parker.hpp for
//             why nothing is overlooked.
#pragma once

#include <memory>
#include <vector>

#include "terrane/base/parker.hpp"
#include "terrane/base/record_ring.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/transport/outbox.hpp"
#include "terrane/transport/poller.hpp"
#include "terrane/transport/thread_crew.hpp"

namespace terrane {

/// A processor's part of the shared memory. Its ring follows it.
struct ring_place {
  alignas(64) parker sleep;
  // the processor writes; readers of other rings read it when its process is lost
  alignas(64) record_ring::writer_word writes_at{record_ring::nowhere};
};

class rings : public wire, public poller {
 public:
  static constexpr std::size_t ring_lines = 2048;
  static constexpr std::size_t place_bytes =
      sizeof(ring_place) + record_ring::bytes_for(ring_lines);
  /// A message of more bytes is large.
  static constexpr std::size_t small_bytes_max = 8192;
  static_assert(small_bytes_max <= packed_head::size_max);

  /// Initializes the places. One process calls it, before any processor sends.
  static void make_places(unsigned char* places, std::uint32_t processors);
  static parker_row parkers(unsigned char* places) { return {places, place_bytes}; }

  // wire
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override;
  void poll(processor& here) override;

  // poller
  void begin(std::span<processor* const> processors) override;
  void take(processor& here) override { take_all(here); }
  bool has_news(const processor& here) override { return !ring(here.number).empty(); }
  void rest(processor& here) override { ring(here.number).release(); }
  bool prepare_sleep(processor& here) override;
  bool finish(processor& here) override;

 protected:
  /// places: place_bytes for each processor of the machine, zeroed; they outlive this.
  rings(thread_crew& crew, const losses* lost, unsigned char* places, std::uint32_t processors)
      : crew_(crew), lost_(lost), places_(places), processors_(processors) {}
  ~rings() = default;

  struct unmap {
    std::size_t bytes;
    void operator()(unsigned char* places) const;
  };
  using own_places = std::unique_ptr<unsigned char, unmap>;
  /// Zeroed memory for places that only this process sees; null: there is none.
  static own_places map_places(std::uint32_t processors);

  // --- what differs between the worlds ---

  /// Memory for a large message of `from`; every process that has these rings can read it. By
  /// itself: memory of this process.
  virtual unsigned char* new_block(processor& from, std::size_t bytes);
  /// The receiver has read the message: its block is free.
  virtual void block_read(const large_message& where);
  /// Notifies a busy processor that its ring holds something.
  virtual void rouse(processor_id to) = 0;

  /// Puts a record into a ring of this process. False: there is no room. Any thread may call it.
  bool push(const outbox::view& full);
  /// Frees the blocks of messages that nobody took before the end. One thread calls it.
  void drop_large_left();
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
  using writer_word = record_ring::writer_word;
  void* reserve(processor_id to, std::size_t bytes, writer_word& mine);
  void publish(processor_id to, void* room, std::size_t bytes, const writer_word& mine);
  bool put(const outbox::view& full, writer_word& mine);
  void roused(processor_id to);
  bool flush(const processor& here);
  void take_all(processor& here);
  void take_behind_lost(processor& here);
  [[noreturn]] static void overwritten(const processor& here);
  void send_small(processor& from, processor_id to, packed_head about, bytes_view head,
                  bytes_view body);
  void send_apart(processor& from, processor_id to, packed_head about, bytes_view head,
                  bytes_view body);
  void send_large(processor& from, processor_id to, entry kind, bytes_view head, bytes_view body);
  template <class Each>
  static void for_each_message(const unsigned char* data, std::size_t bytes, Each&& each);

  thread_crew& crew_;
  const losses* const lost_;  // null: no processor can be lost
  unsigned char* const places_;
  const std::uint32_t processors_;
  // of the processors of this process; first_: the number of the first
  processor_id first_ = 0;
  std::vector<std::unique_ptr<outbox>> outboxes_;
};

}  // namespace terrane
