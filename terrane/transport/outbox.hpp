// SPDX-License-Identifier: Apache-2.0
// outbox.hpp: messages that a processor could not send at once, or holds back to send them packed.
//
// Purpose     A record is one or more messages to one receiver, each a head of 8 bytes and its
//             bytes, padded to a multiple of 8.
// Invariants  One processor's. Records leave in the order in which they were begun, so that the
//             messages of two processors keep theirs.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>

#include "terrane/core/message.hpp"

namespace terrane {

/// Where the bytes of a large message lie.
struct large_message {
  unsigned char* block;
  std::uint64_t size;
};

/// What stands before a message in a record.
struct packed_head {
  std::uint64_t kind : 5;   // entry
  std::uint64_t large : 1;  // a large_message follows, else the message's bytes
  std::uint64_t from : 16;  // processor
  std::uint64_t size : 15;
  std::uint64_t said_at : place_number_bits;
};
static_assert(sizeof(packed_head) == 8);
inline constexpr std::size_t packed_size_max = (std::size_t{1} << 15) - 1;

/// Bytes of a record that such a message takes.
constexpr std::size_t packed_bytes(std::size_t size) {
  return sizeof(packed_head) + ((size + 7) & ~std::size_t{7});
}

/// Copies the first and the last Part bytes, which may overlap and are all there are.
template <std::size_t Part>
void copy_two_parts(unsigned char* to, const unsigned char* from, std::size_t size) {
  std::memcpy(to, from, Part);
  std::memcpy(to + size - Part, from + size - Part, Part);
}

/// Most are a few words, for which a call of memcpy, or a loop, is the larger part.
inline void copy_message_bytes(unsigned char* to, bytes_view from) {
  const auto* bytes = static_cast<const unsigned char*>(from.data);
  if (from.size > 32 || from.size < 8) {
    if (from.size != 0) std::memcpy(to, bytes, from.size);
  } else if (from.size >= 16) {
    copy_two_parts<16>(to, bytes, from.size);
  } else {
    copy_two_parts<8>(to, bytes, from.size);
  }
}

/// Writes one message at `room`.
inline void pack(unsigned char* room, const packed_head& about, bytes_view head, bytes_view body) {
  std::memcpy(room, &about, sizeof about);
  unsigned char* data = room + sizeof about;
  copy_message_bytes(data, head);
  copy_message_bytes(data + head.size, body);
}

class outbox {
 public:
  /// record_bytes: up to so many are packed into one.
  explicit outbox(std::size_t record_bytes) : record_bytes_(record_bytes) {}

  /// Where the next message goes, if it may join the last: it is of so many packed bytes.
  unsigned char* room_beside_last(processor_id to, std::size_t needed) {
    if (!last_ || last_->to != to || last_->room() < needed) return nullptr;
    unsigned char* const room = last_->data.get() + last_->bytes;
    last_->bytes += needed;
    bytes_ += needed;
    return room;
  }
  /// The same in a record of its own, which further ones may join.
  unsigned char* room_apart(processor_id to, std::size_t needed) {
    last_ = &records_.emplace_back(to, needed > record_bytes_ / 8 ? needed : record_bytes_);
    return room_beside_last(to, needed);
  }

  bool empty() const { return !last_; }
  std::size_t bytes() const { return bytes_; }

  struct record {
    record(processor_id receiver, std::size_t capacity_bytes)
        : to(receiver),
          data(std::make_unique_for_overwrite<unsigned char[]>(capacity_bytes)),
          capacity(capacity_bytes) {}
    std::size_t room() const { return capacity - bytes; }

    processor_id to;
    std::unique_ptr<unsigned char[]> data;
    std::size_t capacity, bytes = 0;
  };
  const record& front() const { return records_.front(); }
  void pop() {
    bytes_ -= records_.front().bytes;
    records_.pop_front();
    if (records_.empty()) last_ = nullptr;
  }

 private:
  const std::size_t record_bytes_;
  std::size_t bytes_ = 0;
  std::deque<record> records_;
  record* last_ = nullptr;  // of them; a deque does not move what it holds
};

}  // namespace terrane
