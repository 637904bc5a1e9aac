// SPDX-License-Identifier: Apache-2.0
// event_writer.hpp: writes the events of one processor, or of one node's policy.
//
// Purpose     A probe is `if (TERRANE_UNLIKELY((mask & bit) != 0)) writer.put<event_id::x>(...)`:
//             a compare and a branch while the class is off. put() stores words: no lock, no
//             read-modify-write, no call through an interface.
// Time        Reading the clock costs more than storing an event. So a probe calls look() where
//             time has passed, and the events that follow share that stamp. What makes something
//             else ready to run has a stamp of its own. A run of events without
//             a look gets a new stamp now and then.
// Invariants  One thread at a time writes: the processor's own, or the one that holds the policy.
//             Tracing never changes what a simulated run does: put() reads no chance and no state
//             but its own.
#pragma once

#include <cstdint>
#include <type_traits>

#include "terrane/base/ticks.hpp"
#include "terrane/core/crew.hpp"
#include "terrane/core/event_ring.hpp"
#include "terrane/core/load_cell.hpp"

namespace terrane {

class event_writer {
 public:
  /// clock: of a simulated machine; null: the processor's time-stamp counter. ring: for the events
  /// in `traced`, may be null. kept: for those in `kept_classes`, may be null; zeroed memory is
  /// made into one with so many `places` by the first of them. wait: an event that finds the ring
  /// full waits for its reader; else it is dropped and counted.
  void attach(crew* clock, event_ring* ring, event_mask traced, kept_events* kept,
              event_mask kept_classes, bool wait, std::uint32_t places = 0) {
    clock_ = clock;
    ring_ = ring;
    kept_ = kept;
    kept_places_ = places;
    wait_ = wait;
    kept_classes_ = kept ? kept_classes : 0;
    TERRANE_STORE_RELAXED(&traced_, ring ? traced : 0);
  }

  /// Before the run: events of those classes are counted there as well, for the load metrics of
  /// the node. looks: the time of each counts.
  void measure_in(load_cell& cell, event_mask classes, bool looks) {
    cell_ = &cell;
    measured_ |= classes;
    if (looks) looks_for_ |= classes;
  }
  /// The same cell and classes as the other writer's.
  void measure_as(const event_writer& other) {
    cell_ = other.cell_;
    measured_ = other.measured_;
    looks_for_ = other.looks_for_;
  }

  /// The same, but these classes go to the ring from now on, if there is one. The owner alone.
  void trace(event_mask classes) { TERRANE_STORE_RELAXED(&traced_, ring_ ? classes : 0); }

  /// What probes compare with.
  event_mask classes() const { return traced() | kept_classes_ | measured_; }
  /// True if times of events matter: the flight recorder alone takes that of the last look.
  bool has_stamps() const { return (traced() | measured_) != 0; }
  bool needs_time_of(event_class of) const { return ((traced() | looks_for_) & bit_of(of)) != 0; }
  event_mask traced() const { return TERRANE_LOAD_RELAXED(&traced_); }
  bool traces(event_class of) const { return (traced() & bit_of(of)) != 0; }

  /// The events that follow happen now, or at that time.
  void look() { at(clock_ ? clock_->now() : read_ticks()); }
  void at(std::uint64_t ticks) {
    now_ = ticks;
    unstamped_ = 0;
  }

  template <event_id Id, class... Value>
  void put(Value... values) {
    static_assert(sizeof...(Value) == about(Id).field_count, "a value for each field");
    constexpr event_mask bit = bit_of(about(Id).of);
    std::uint64_t words[sizeof...(Value) == 0 ? 1 : sizeof...(Value)] = {word_of(values)...};
    words[0] = words[0] << 8 | static_cast<std::uint64_t>(Id);
    if constexpr (load_cell::counts(Id)) {
      if (TERRANE_UNLIKELY((measured_ & bit) != 0)) {
        if ((looks_for_ & bit) != 0) look();
        cell_->count<Id>(words, now_);
      }
    }
    if ((traced() & bit) != 0) {
      if (is_a_cause(Id) || (is_a_signal(Id) && clock_)) look();
      write(about(Id).of, words, std::size(words));
    }
    if ((kept_classes_ & bit) != 0) {
      if (TERRANE_UNLIKELY(!kept_->is_made())) kept_events::make_in(kept_, kept_places_);
      kept_->keep(now_, words, std::size(words));
    }
  }
  /// A thread began here or came here (1), or ended or left (-1).
  void count_thread(int change) {
    if ((measured_ & bit_of(event_class::thread)) == 0) return;
    if ((looks_for_ & bit_of(event_class::thread)) != 0) look();
    cell_->threads.change(now_, change);
  }

 private:
  template <class Value>
  static std::uint64_t word_of(Value value) {
    if constexpr (std::is_pointer_v<Value>)
      return reinterpret_cast<std::uintptr_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }

  /// What makes something else run: when it happened within its fiber matters.
  static constexpr bool is_a_cause(event_id id) {
    return id == event_id::token_queued || id == event_id::token_invoked ||
           id == event_id::slot_fired || id == event_id::fiber_ready ||
           id == event_id::graph_token || id == event_id::graph_invoked ||
           id == event_id::graph_sent || id == event_id::graph_asked;
  }
  /// There are many, so that they share the stamps of others, unless the clock costs nothing.
  static constexpr bool is_a_signal(event_id id) { return id == event_id::signalled; }

  static constexpr std::uint32_t unstamped_most = 64;

  void write(event_class of, const std::uint64_t* words, std::uint64_t count) {
    if (++unstamped_ == unstamped_most) look();
    const bool stamp = now_ != stamped_;
    if (TERRANE_UNLIKELY(at_ + count + stamp > room_until_) && !find_room(of, count + stamp))
      return;
    if (stamp) {
      stamped_ = now_;
      ring_->at(at_++) = now_ << 8;
    }
    for (std::uint64_t i = 0; i < count; ++i) ring_->at(at_++) = words[i];
    ring_->written.store(at_, memory_order_release);
  }
  [[gnu::cold]] bool find_room(event_class of, std::uint64_t words);

  event_mask traced_ = 0, kept_classes_ = 0, measured_ = 0, looks_for_ = 0;
  bool wait_ = false;
  std::uint32_t unstamped_ = 0, kept_places_ = 0;
  std::uint64_t now_ = 0, stamped_ = 0;
  std::uint64_t at_ = 0, room_until_ = 0;  // the same as ring_->written; how far it may go
  event_ring* ring_ = nullptr;
  kept_events* kept_ = nullptr;
  crew* clock_ = nullptr;
  load_cell* cell_ = nullptr;
};

}  // namespace terrane
