// SPDX-License-Identifier: Apache-2.0
// batch_queue.hpp: messages that wait to be sent to one node, in batches.
//
// Purpose     A batch is what travels as one message of the network below: a head, and frames, each
//             with packed messages (outbox.hpp) for one processor. A large message ends its batch:
//             its frame says how long it is, and its bytes travel beside the batch.
// Invariants  Batches leave in the order in which they were begun. One thread at a time uses a
//             queue.
// Cost        No allocation while few batches wait: their memory is used again.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "terrane/transport/outbox.hpp"
#include "terrane/transport/tcp/frame.hpp"

namespace terrane {

struct batch_head {
  std::uint32_t credits;  // batches that the receiver may send in return, more than before
  std::uint32_t last;     // 1: the sender sends no further batch
  std::uint64_t returns;  // how many messages of credits alone it has sent; set in the last batch
};

struct batch_frame {
  std::uint32_t size;   // bytes that follow; a multiple of 8
  std::uint16_t to;     // a processor of the receiving node, or any_processor
  std::uint16_t large;  // 1: what follows is a large_head
};

struct batch {
  static constexpr std::size_t bytes_max = std::size_t{32} << 10;
  static_assert(bytes_max >= sizeof(batch_head) + sizeof(batch_frame) + messages_bytes_max);

  std::unique_ptr<unsigned char[]> data;
  std::size_t end = sizeof(batch_head);
  std::unique_ptr<unsigned char[]> large;  // null: no large message ends it
  std::size_t large_bytes = 0;

  std::size_t bytes() const { return end + large_bytes; }
};

class batch_queue {
 public:
  bool empty() const { return waiting_.empty(); }
  /// Of all batches that wait.
  std::size_t bytes() const { return bytes_; }

  /// Appends a message of at most small_message_bytes_max.
  void add_message(std::uint16_t to, packed_head about, bytes_view head, bytes_view body) {
    const std::size_t needed = packed_bytes(about.size());
    pack(room_for(to, needed), about, head, body);
  }
  void add_large(std::uint16_t to, packed_head about, bytes_view head, bytes_view body) {
    const std::size_t size = head.size + body.size;
    large_head its{.packed = 0, .size = size};
    about.write(reinterpret_cast<unsigned char*>(&its.packed));
    std::memcpy(begin_frame({sizeof its, to, 1}), &its, sizeof its);
    batch& last = waiting_.back();
    last.large = std::make_unique_for_overwrite<unsigned char[]>(size);
    last.large_bytes = size;
    std::memcpy(last.large.get(), head.data, head.size);
    if (body.size != 0) std::memcpy(last.large.get() + head.size, body.data, body.size);
    bytes_ += size;
    open_ = 0;
  }

  /// The oldest batch, which is to be sent now.
  batch take() {
    batch oldest = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= oldest.bytes();
    if (waiting_.empty()) open_ = 0;
    return oldest;
  }
  /// An empty batch.
  batch make() {
    batch made;
    if (free_.empty()) {
      made.data = std::make_unique_for_overwrite<unsigned char[]>(batch::bytes_max);
    } else {
      made.data = std::move(free_.back());
      free_.pop_back();
    }
    return made;
  }
  /// The batch has been sent: its memory is used again.
  void give_back(batch&& sent) {
    if (free_.size() < free_max) free_.push_back(std::move(sent.data));
  }
  void drop() {
    waiting_.clear();
    bytes_ = open_ = 0;
  }

 private:
  static constexpr std::size_t free_max = 16;

  unsigned char* room_for(std::uint16_t to, std::size_t needed) {
    if (open_ != 0) {
      batch& last = waiting_.back();
      batch_frame its;
      std::memcpy(&its, last.data.get() + open_, sizeof its);
      if (its.to == to && its.size + needed <= messages_bytes_max &&
          last.end + needed <= batch::bytes_max) {
        its.size += static_cast<std::uint32_t>(needed);
        std::memcpy(last.data.get() + open_, &its, sizeof its);
        return extend(last, needed);
      }
    }
    return begin_frame({static_cast<std::uint32_t>(needed), to, 0});
  }
  unsigned char* begin_frame(const batch_frame& its) {
    const std::size_t needed = sizeof its + its.size;
    if (waiting_.empty() || waiting_.back().large ||
        waiting_.back().end + needed > batch::bytes_max) {
      waiting_.push_back(make());
      bytes_ += waiting_.back().bytes();
    }
    batch& last = waiting_.back();
    open_ = last.end;
    unsigned char* const at = extend(last, needed);
    std::memcpy(at, &its, sizeof its);
    return at + sizeof its;
  }
  unsigned char* extend(batch& last, std::size_t needed) {
    unsigned char* const at = last.data.get() + last.end;
    last.end += needed;
    bytes_ += needed;
    return at;
  }

  std::deque<batch> waiting_;
  std::vector<std::unique_ptr<unsigned char[]>> free_;
  std::size_t bytes_ = 0;
  std::size_t open_ = 0;  // where the last batch's last frame begins; 0: none may be extended
};

}  // namespace terrane
