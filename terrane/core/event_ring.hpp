// SPDX-License-Identifier: Apache-2.0
// event_ring.hpp: where events wait for the writer of a trace, and where the last ones are kept.
//
// Record      A word: the event's number in the lowest 8 bits, its first field in the others. Then
//             a word for each further field. A stamp is such a record, too.
// Invariants  event_ring has one writer and one reader. The reader acquires `written`, so that it
//             sees the words below it; the writer acquires `read` before it reuses the words, so
//             that the reader has done with them. Positions only grow.
//             kept_events has one writer at a time. Any thread or process may read it at any time,
//             and may then see an event that is half overwritten: it is read when a run fails.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "terrane/base/atomic.hpp"
#include "terrane/core/event.hpp"

namespace terrane {

class event_ring {
 public:
  /// words: a power of two.
  explicit event_ring(std::uint64_t words) : size_(words), words_(new std::uint64_t[words]) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t& at(std::uint64_t position) { return words_[position & (size_ - 1)]; }
  std::uint64_t at(std::uint64_t position) const { return words_[position & (size_ - 1)]; }

  // the writer stores, the reader loads
  alignas(64) atomic<std::uint64_t> written{0};
  /// Events that found no room, by class.
  std::array<atomic<std::uint64_t>, event_class_count> dropped{};
  // the reader stores, the writer loads
  alignas(64) atomic<std::uint64_t> read{0};
  atomic<bool> closed{false};  // nobody will read any more: the writer does not wait

 private:
  const std::uint64_t size_;
  const std::unique_ptr<std::uint64_t[]> words_;
};

/// The last events, each in a place of the same size, in memory that processes may share.
class kept_events {
 public:
  static constexpr std::uint32_t place_words = 1 + event_fields_max;  // ticks, record
  static constexpr std::size_t bytes_for(std::uint32_t places) {
    return sizeof(kept_events) + sizeof(atomic<std::uint64_t>) * place_words * places;
  }
  /// places: a power of two. memory: bytes_for(places) zeroed bytes.
  static kept_events* make_in(void* memory, std::uint32_t places) {
    return ::new (memory) kept_events(places);
  }

  void keep(std::uint64_t ticks, const std::uint64_t* words, std::uint32_t count) {
    const std::uint64_t at = written_.load(memory_order_relaxed);
    atomic<std::uint64_t>* const place = places() + (at & (count_ - 1)) * place_words;
    place[0].store(ticks, memory_order_relaxed);
    for (std::uint32_t i = 0; i < count; ++i) place[1 + i].store(words[i], memory_order_relaxed);
    written_.store(at + 1, memory_order_release);  // pairs with the reader in visit()
  }
  /// Of zeroed memory, in which nothing was made yet: false.
  bool is_made() const { return count_ != 0; }
  std::uint64_t written() const { return written_.load(memory_order_acquire); }
  /// Calls use(ticks, words) for each event that is kept, oldest first.
  template <class Use>
  void visit(Use&& use) const {
    const std::uint64_t end = written();
    if (end == 0) return;  // or it may be in the making
    for (std::uint64_t i = end > count_ ? end - count_ : 0; i < end; ++i) {
      const atomic<std::uint64_t>* const place = places() + (i & (count_ - 1)) * place_words;
      std::array<std::uint64_t, place_words> copy;
      for (std::uint32_t w = 0; w < place_words; ++w) copy[w] = place[w].load(memory_order_relaxed);
      use(copy[0], copy.data() + 1);
    }
  }

 private:
  explicit kept_events(std::uint32_t places) : count_(places) {}
  atomic<std::uint64_t>* places() { return reinterpret_cast<atomic<std::uint64_t>*>(this + 1); }
  const atomic<std::uint64_t>* places() const {
    return reinterpret_cast<const atomic<std::uint64_t>*>(this + 1);
  }

  atomic<std::uint64_t> written_{0};
  const std::uint64_t count_;
};

}  // namespace terrane
