// SPDX-License-Identifier: Apache-2.0
// outbox.hpp: messages that a processor could not send at once, or holds back to pack them.
//
// Purpose     A record holds one or more messages to one receiver. Each message is a head of 8
//             bytes and its bytes, padded to a multiple of 8.
// Invariants  An outbox belongs to one processor. Records leave in the order in which they were
//             begun, so that messages from one processor to another keep their order.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>

#include "terrane/base/copy_bytes.hpp"
#include "terrane/core/message.hpp"

namespace terrane {

/// The receiving node chooses the processor.
inline constexpr std::uint16_t any_processor = 0xffff;

/// Where the bytes of a large message lie.
struct large_message {
  unsigned char* block;
  std::uint64_t size;
};

/// The head of a message in a record. From the lowest bit on: its kind (5 bits); whether it is
/// large (1 bit; if set, a large_message follows, else the message's bytes); its sender (16 bits);
/// how many bytes follow (15 bits); and the number of the program line that it was sent for.
class packed_head {
 public:
  static constexpr unsigned large_at = 5, from_at = 6, size_at = 22, said_at_at = 37;
  static_assert(said_at_at + place_number_bits == 64);
  static constexpr std::size_t size_max = (std::size_t{1} << (said_at_at - size_at)) - 1;

  packed_head(entry kind, bool large, processor_id from, std::size_t size, place_number said_at)
      : word_((static_cast<std::uint64_t>(kind) & kinds) | std::uint64_t{large} << large_at |
              std::uint64_t{from} << from_at | std::uint64_t{size} << size_at |
              std::uint64_t{said_at} << said_at_at) {}
  explicit packed_head(std::uint64_t word) : word_(word) {}
  explicit packed_head(const unsigned char* at) { std::memcpy(&word_, at, sizeof word_); }
  void write(unsigned char* at) const { std::memcpy(at, &word_, sizeof word_); }

  entry kind() const { return static_cast<entry>(word_ & kinds); }
  bool large() const { return (word_ >> large_at & 1) != 0; }
  processor_id from() const { return static_cast<std::uint16_t>(word_ >> from_at); }
  std::size_t size() const { return word_ >> size_at & size_max; }
  place_number said_at() const { return static_cast<place_number>(word_ >> said_at_at); }

 private:
  static constexpr std::uint64_t kinds = (1u << large_at) - 1;
  std::uint64_t word_;
};
static_assert(sizeof(packed_head) == 8);

/// The bytes that a message of `size` bytes takes in a record.
constexpr std::size_t packed_bytes(std::size_t size) {
  return sizeof(packed_head) + ((size + 7) & ~std::size_t{7});
}

/// Writes one message at `room`.
inline void pack(unsigned char* room, packed_head about, bytes_view head, bytes_view body) {
  about.write(room);
  unsigned char* data = room + sizeof about;
  copy_bytes(data, head.data, head.size);
  copy_bytes(data + head.size, body.data, body.size);
}

class outbox {
 public:
  /// record_bytes: how many bytes of messages are packed into one record.
  explicit outbox(std::size_t record_bytes) : record_bytes_(record_bytes) {}

  /// Room in the last record for a message of `needed` packed bytes; null if that record goes to
  /// another receiver or is full.
  unsigned char* room_beside_last(processor_id to, std::size_t needed) {
    unsigned char* const room = at_;
    if (to != to_ || needed > static_cast<std::size_t>(end_ - room)) return nullptr;
    at_ += needed;
    return room;
  }
  /// Room in a new record, which later messages may join.
  unsigned char* room_apart(processor_id to, std::size_t needed) {
    if (!empty()) {
      records_.back().bytes = bytes_of_last();
      bytes_ += bytes_of_last();
    }
    const std::size_t capacity = needed > record_bytes_ / 8 ? needed : record_bytes_;
    at_ = records_.emplace_back(to, capacity).data.get();
    end_ = at_ + capacity;
    to_ = to;
    return room_beside_last(to, needed);
  }

  bool empty() const { return to_ == nobody; }
  /// The bytes of all records but the last.
  std::size_t bytes() const { return bytes_; }

  struct view {
    processor_id to;
    const unsigned char* data;
    std::size_t bytes;
  };
  view front() const {
    const record& oldest = records_.front();
    return {oldest.to, oldest.data.get(), records_.size() == 1 ? bytes_of_last() : oldest.bytes};
  }
  void pop() {
    if (records_.size() == 1) to_ = nobody;
    bytes_ -= records_.front().bytes;
    records_.pop_front();
  }

 private:
  static constexpr processor_id nobody = ~processor_id{0};

  struct record {
    record(processor_id receiver, std::size_t capacity)
        : to(receiver), data(std::make_unique_for_overwrite<unsigned char[]>(capacity)) {}

    processor_id to;
    std::unique_ptr<unsigned char[]> data;
    std::size_t bytes = 0;  // set when a further record begins
  };
  std::size_t bytes_of_last() const {
    return static_cast<std::size_t>(at_ - records_.back().data.get());
  }

  const std::size_t record_bytes_;
  std::size_t bytes_ = 0;
  // of the last record
  processor_id to_ = nobody;
  unsigned char *at_ = nullptr, *end_ = nullptr;
  std::deque<record> records_;
};

}  // namespace terrane
