// SPDX-License-Identifier: Apache-2.0
// record_ring.hpp: a bounded queue of byte records with many writers and one reader, in memory that
// threads or processes share.
//
//   record_ring& ring = *record_ring::make_in(memory, lines);
//   if (void* room = ring.reserve(bytes, mine)) {
//     memcpy(room, data, bytes);
//     ring.publish(room, bytes, mine);
//   }
//   while (const auto record = ring.front()) { use(record.data, record.bytes); ring.pop(record); }
//   ring.release();
//
// Layout      Lines of 64 bytes. A record is a header of 8 bytes and its data, in consecutive
//             lines. If it does not fit before the end of the ring, an empty record fills the rest.
// Invariants  The first word of a free line is zero. Writers reserve free lines by a
//             compare-and-swap of `tail_`; `head_` says how far the reader has come. The header is
//             written last, and the reader takes a record when its header is not zero. release()
//             zeroes the first word of each popped line and then advances `head_`.
// Argument    reserve() loads head_ with acquire, which pairs with the release in release(): the
//             zeroes are visible, and the reader has finished, before a line is reserved again. A
//             writer that uses head_ as another writer saw it loads head_seen_ with acquire, which
//             pairs with that writer's release. publish() stores the header with seq_cst, which
//             pairs with the acquire in front(), so that the data is visible with it; seq_cst
//             because the writer then asks whether the reader sleeps (parker.hpp). tests/models
//             explores it.
// Lost        A writer whose process ends between reserve() and publish() leaves a gap. `tail_`
//             holds the length of the last reservation beside its end, and each header the length
//             of the reservation before it. A writer leaves the `tail_` that it found in a word of
//             its own before its compare-and-swap: where a header is missing, that word has the
//             same length, since `tail_` has each end once. So skip_lost() walks back from the tail
//             to the reservation that the reader waits at. Whoever holds it has its word there: the
//             word's release store comes before the release of `tail_`, which skip_lost() acquires
//             (only read-modify-writes follow in `tail_`). A living writer takes its word away only
//             after publish(), with release, so that the header, read again after the acquire of
//             all words, is then seen. If no living writer's word is there and the header is still
//             zero, then a lost writer holds it and nobody will write there: it is passed over.
// Cost        A writer: one compare-and-swap, the copy, a store to its own word, one store. Writers
//             share a copy of `head_` and read `head_` itself only when the copy says that the ring
//             is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "terrane/base/atomic.hpp"
#include "terrane/base/check.hpp"
#include "terrane/base/sanitizers.hpp"

namespace terrane {

class record_ring {
 public:
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t header_bytes = 8;

  /// What a writer leaves for skip_lost(): where it reserves. It serves all rings, one reservation
  /// at a time. A writer that is lost only together with the reader may have it on its stack.
  using writer_word = atomic<std::uint64_t>;
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};  // its first value
  static constexpr std::size_t lines_max = 4096;

  /// lines: a power of two up to lines_max. memory: bytes_for(lines), zeroed, aligned to 64. name:
  /// differs among rings that share writers.
  static record_ring* make_in(void* memory, std::size_t lines, std::uint16_t name = 0) {
    return ::new (memory) record_ring(lines, name);
  }
  static constexpr std::size_t bytes_for(std::size_t lines) {
    return sizeof(record_ring) + lines * line_bytes;
  }
  record_ring(const record_ring&) = delete;
  record_ring& operator=(const record_ring&) = delete;

  /// The largest record.
  std::size_t record_bytes_max() const { return (mask_ + 1) / 4 * line_bytes - header_bytes; }

  // --- any writer ---

  /// Room for one record, aligned to 8; null when the ring is full. publish() must follow soon:
  /// records behind it wait for it.
  void* reserve(std::size_t bytes, writer_word& mine) {
    const std::uint64_t needed = lines_of(bytes), lines = mask_ + 1;
    std::uint64_t tail = tail_.load(memory_order_relaxed);
    for (;;) {
      const std::uint64_t at = tail >> length_bits, to_end = lines - (at & mask_);
      const std::uint64_t skipped = needed > to_end ? to_end : 0, taken = skipped + needed;
      if (at + taken - head_seen() > lines && at + taken - look_at_head() > lines) {
        const std::uint64_t again = tail_.load(memory_order_relaxed);
        if (again == tail) {
          mine.store(nowhere, memory_order_release);  // where somebody else may have reserved
          return nullptr;
        }
        tail = again;  // the copy was old, and may lie before the head
        continue;
      }
      mine.store(tail << name_bits | name_, memory_order_release);
      if (!tail_.compare_exchange_weak(tail, (at + taken) << length_bits | taken,
                                       memory_order_release))
        continue;
      if (skipped != 0) word(at).store(filler | before_in(tail) | skipped, memory_order_release);
      return reinterpret_cast<char*>(&word(at + skipped)) + header_bytes;
    }
  }
  /// mine: as reserve() left it.
  void publish(void* room, std::size_t bytes, const writer_word& mine) {
    auto* header =
        reinterpret_cast<atomic<std::uint64_t>*>(static_cast<char*>(room) - header_bytes);
    header->store(present | before_in(mine.load(memory_order_relaxed) >> name_bits) | bytes,
                  memory_order_seq_cst);
  }

  /// An upper bound of the lines that are reserved and not yet read, as far as a writer knows.
  std::uint64_t backlog_seen() const { return tail() - head_seen_.load(memory_order_relaxed); }
  std::uint64_t backlog() { return tail() - look_at_head(); }

  // --- the reader ---

  struct record {
    const unsigned char* data = nullptr;
    std::size_t bytes = 0;
    explicit operator bool() const { return data != nullptr; }
  };
  /// The oldest record; none when there is none. No writer writes a record that is none and has
  /// bytes: somebody else has overwritten the ring, and the reader cannot go on.
  record front() {
    for (;;) {
      const std::uint64_t header = word(next_).load(memory_order_acquire);
      if (header == 0) return {};
      const std::uint64_t to_end = mask_ + 1 - (next_ & mask_), size = header & sizes;
      const std::uint64_t kind = header & ~(sizes | lengths << before_at);
      if (kind == present && size <= to_end * line_bytes - header_bytes)
        return {reinterpret_cast<const unsigned char*>(&word(next_)) + header_bytes, size};
      if (kind != filler || size != to_end) return {nullptr, header};
      advance(to_end);
    }
  }
  void pop(const record& oldest) { advance(lines_of(oldest.bytes)); }
  /// Gives popped lines back to the writers. Also happens by itself after held_most_ lines, so that
  /// writers do not think that the reader is behind, and front() never meets a popped line that is
  /// not zeroed.
  void release() {
    if (released_ == next_) return;
    while (released_ != next_) word(released_++).store(0, memory_order_relaxed);
    head_.store(next_, memory_order_release);
  }
  /// False if somebody else than writers and the reader has overwritten what they count.
  bool is_sound() const {
    return head_.load(memory_order_relaxed) == released_ && next_ - released_ < held_most_ &&
           tail() - next_ <= mask_ + 1;
  }
  /// seq_cst: may follow parker::prepare.
  bool empty() const { return word(next_).load(memory_order_seq_cst) == 0; }

  /// Passes over the room that the reader waits at, if a lost writer holds it. False: there is no
  /// such room, or it cannot be told yet: to be asked again. word_of(i) is the word of writer i <
  /// writers; is_lost(i) says that its process has ended, and that its last writes are visible
  /// here.
  template <class WordOf, class IsLost>
  bool skip_lost(std::size_t writers, WordOf&& word_of, IsLost&& is_lost) {
    const auto is_at = [&](std::size_t i, std::uint64_t start) {
      const std::uint64_t left = word_of(i).load(memory_order_acquire);
      return static_cast<std::uint16_t>(left) == name_ &&
             (left >> name_bits) >> length_bits ==
                 (start << (name_bits + length_bits)) >> (name_bits + length_bits);
    };
    const auto length_before = [&](std::uint64_t start) -> std::uint64_t {
      if (const std::uint64_t header = word(start).load(memory_order_acquire))
        return header >> before_at & lengths;
      for (std::size_t i = 0; i < writers; ++i)
        if (is_at(i, start)) return word_of(i).load(memory_order_acquire) >> name_bits & lengths;
      return 0;
    };
    const std::uint64_t last = tail_.load(memory_order_acquire);
    std::uint64_t end = last >> length_bits, length = last & lengths;
    if (end == next_ || !empty()) return false;
    while (length != 0 && end - length > next_) {
      end -= length;
      length = length_before(end);
    }
    if (length == 0) return false;  // its writer lives and has just published
    bool lost = false;
    for (std::size_t i = 0; i < writers; ++i) {
      if (!is_at(i, end - length)) continue;
      if (!is_lost(i)) return false;  // it may hold the room
      lost = true;
    }
    if (!lost || !empty()) return false;
    advance(end - next_);
    return true;
  }

 private:
  // A header: what it is, the lines of the reservation before (from before_at on), and bytes of
  // data, or lines of an empty record.
  static constexpr std::uint64_t present = std::uint64_t{1} << 63;
  static constexpr std::uint64_t filler = std::uint64_t{1} << 62;
  static constexpr unsigned length_bits = 12, name_bits = 16, before_at = 48;
  static constexpr std::uint64_t lengths = (std::uint64_t{1} << length_bits) - 1;
  static constexpr std::uint64_t sizes = (std::uint64_t{1} << before_at) - 1;

  record_ring(std::size_t lines, std::uint16_t name)
      : mask_(lines - 1), held_most_(lines / 4 < 16 ? lines / 4 : 16), name_(name) {
    TERRANE_CHECK(lines >= 8 && lines <= lines_max && (lines & mask_) == 0);
  }

  static constexpr std::uint64_t before_in(std::uint64_t tail) {
    return (tail & lengths) << before_at;
  }
  std::uint64_t tail() const { return tail_.load(memory_order_relaxed) >> length_bits; }

  void advance(std::uint64_t lines) {
    next_ += lines;
    if (next_ - released_ >= held_most_) release();
  }
  static constexpr std::uint64_t lines_of(std::size_t bytes) {
    return (bytes + header_bytes + line_bytes - 1) / line_bytes;
  }
  std::uint64_t look_at_head() {
    const std::uint64_t head = head_.load(memory_order_acquire);
    head_seen_.store(head, memory_order_release);
    return head;
  }
  std::uint64_t head_seen() const {
#ifdef TERRANE_TSAN  // it does not see the writes of another process
    static_cast<void>(head_.load(memory_order_acquire));
#endif
    return head_seen_.load(memory_order_acquire);
  }
  /// The first word of a line.
  atomic<std::uint64_t>& word(std::uint64_t line) const {
    auto* const lines = reinterpret_cast<char*>(const_cast<record_ring*>(this + 1));
    return *reinterpret_cast<atomic<std::uint64_t>*>(lines + (line & mask_) * line_bytes);
  }

  alignas(64) const std::uint64_t mask_;
  const std::uint64_t held_most_;
  const std::uint64_t name_;
  // the reader only
  alignas(64) std::uint64_t next_ = 0;
  std::uint64_t released_ = 0;
  // the reader writes, writers read
  alignas(64) atomic<std::uint64_t> head_{0};
  // any writer. tail_: the end of the last reservation, and its length in the lowest bits
  alignas(64) atomic<std::uint64_t> tail_{0};
  atomic<std::uint64_t> head_seen_{0};  // an earlier value of head_
};

}  // namespace terrane
