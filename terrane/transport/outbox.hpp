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
  entry kind;
  std::uint16_t from;  // processor
  std::uint32_t size : 31;
  std::uint32_t large : 1;  // a large_message follows, else the message's bytes
};
static_assert(sizeof(packed_head) == 8);

/// Bytes of a record that such a message takes.
constexpr std::size_t packed_bytes(std::size_t size) {
  return sizeof(packed_head) + ((size + 7) & ~std::size_t{7});
}

/// Most are a few words, for which a call of memcpy is the larger part.
inline void copy_message_bytes(unsigned char* to, bytes_view from) {
  const auto* bytes = static_cast<const unsigned char*>(from.data);
  std::size_t at = 0;
  if (from.size <= 64)
    for (; at + 8 <= from.size; at += 8) std::memcpy(to + at, bytes + at, 8);
  if (at < from.size) std::memcpy(to + at, bytes + at, from.size - at);
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

  void add(processor_id to, const packed_head& about, bytes_view head, bytes_view body) {
    const std::size_t needed = packed_bytes(about.size);
    if (!last_ || last_->to != to || last_->room() < needed)
      last_ = &records_.emplace_back(to, needed > record_bytes_ / 8 ? needed : record_bytes_);
    pack(last_->data.get() + last_->bytes, about, head, body);
    last_->bytes += needed;
    bytes_ += needed;
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
