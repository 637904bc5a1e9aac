// SPDX-License-Identifier: Apache-2.0
// batch_queue.hpp: messages that wait to be sent to one node, in batches.
//
// Purpose     A batch is what travels as one message of the network below: a head, and frames, each
//             with packed messages (outbox.hpp) for one processor. A large message ends its batch:
//             its frame says how long it is and has its first bytes; the others travel beside the
//             batch.
// Invariants  Batches leave in the order in which they were begun. One thread at a time uses a
//             queue.
// Cost        No allocation while few batches wait: their memory is used again, and up to 16 MiB of
//             that of large messages. New memory would cost a fault for each page.
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
  std::uint16_t large;  // 1: what follows is a large_head, and the message's first bytes
};

struct batch {
  static constexpr std::size_t bytes_max = std::size_t{32} << 10;
  static_assert(bytes_max >= sizeof(batch_head) + sizeof(batch_frame) + messages_bytes_max);

  std::unique_ptr<unsigned char[]> data;
  std::size_t end = sizeof(batch_head);
  std::unique_ptr<unsigned char[]> large;  // null: no large message ends it
  std::size_t large_bytes = 0, large_room = 0;

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
    // The head of a request goes with the frame; another one belongs to the bytes beside it.
    const std::size_t first = head.size % 8 == 0 && head.size <= first_bytes_max ? head.size : 0;
    const std::size_t size = head.size - first + body.size;
    large_head its{.packed = 0, .size = head.size + body.size};
    about.write(reinterpret_cast<unsigned char*>(&its.packed));
    unsigned char* const at = begin_frame({static_cast<std::uint32_t>(sizeof its + first), to, 1});
    std::memcpy(at, &its, sizeof its);
    if (first != 0) std::memcpy(at + sizeof its, head.data, first);
    batch& last = waiting_.back();
    take_large_room(last, size);
    unsigned char* const beside = last.large.get();
    if (first != head.size) std::memcpy(beside, head.data, head.size);
    if (body.size != 0) std::memcpy(beside + head.size - first, body.data, body.size);
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
    if (!sent.large || free_large_bytes_ + sent.large_room > free_large_bytes_max) return;
    free_large_bytes_ += sent.large_room;
    free_large_.push_back({std::move(sent.large), sent.large_room});
  }
  void drop() {
    waiting_.clear();
    bytes_ = open_ = 0;
  }

 private:
  static constexpr std::size_t free_max = 16, first_bytes_max = 64;
  static constexpr std::size_t free_large_bytes_max = std::size_t{16} << 20;

  struct free_large {
    std::unique_ptr<unsigned char[]> data;
    std::size_t room;
  };
  /// The last block that was given back, if it is large enough and not much too large.
  void take_large_room(batch& to, std::size_t size) {
    to.large_bytes = size;
    if (!free_large_.empty()) {
      free_large last = std::move(free_large_.back());
      free_large_.pop_back();
      free_large_bytes_ -= last.room;
      if (last.room >= size && last.room / 4 <= size) {
        to.large = std::move(last.data);
        to.large_room = last.room;
        return;
      }
    }
    to.large = std::make_unique_for_overwrite<unsigned char[]>(size);
    to.large_room = size;
  }

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
  std::vector<free_large> free_large_;
  std::size_t free_large_bytes_ = 0;
  std::size_t bytes_ = 0;
  std::size_t open_ = 0;  // where the last batch's last frame begins; 0: none may be extended
};

}  // namespace terrane
