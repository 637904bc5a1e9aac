// SPDX-License-Identifier: Apache-2.0
// send_queue.hpp: the bytes that wait to be written to one connection.
//
// Purpose     Messages are appended to the last frame if it is for the same processor and has room.
//             So small messages that are sent between two writes travel together. A frame is closed
//             when the next one begins or when the bytes are written; then it gets its checksum.
// Invariants  Bytes are written in the order in which they were appended. One thread at a time uses
//             a queue; its owner has a lock for that.
// Cost        Chunks are reused, up to 4 MiB of them: new memory would cost a fault for each page.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "terrane/transport/outbox.hpp"
#include "terrane/transport/tcp/frame.hpp"

namespace terrane {

class send_queue {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{128} << 10;
  static constexpr int pieces_max = 16;
  static constexpr std::size_t spare_chunks_max = 32;

  /// frame_bytes: how long a frame of messages may grow; at most messages_bytes_max.
  explicit send_queue(std::size_t frame_bytes = messages_bytes_max) : frame_bytes_(frame_bytes) {}

  bool empty() const { return bytes_ == 0; }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t frames() const { return frames_; }

  /// Appends one message of at most small_message_bytes_max.
  void add_message(std::uint16_t to, packed_head about, bytes_view head, bytes_view body) {
    const std::size_t needed = packed_bytes(about.size());
    unsigned char* room = room_in_open_frame(to, needed);
    if (!room) room = begin_messages(to, needed);
    pack(room, about, head, body);
  }
  /// Appends a whole frame.
  void add_frame(frame_kind kind, std::uint16_t to, bytes_view first, bytes_view then = {});

  // --- frames whose bytes are written from where they are ---

  /// The head of a frame with those bytes, which counts as sent. Nothing may be appended before
  /// the head and the bytes are written, or their rest is appended by add_rest.
  void make_head(frame_kind kind, std::uint16_t to, bytes_view data, unsigned char* head);
  /// Appends bytes as they are: the rest of such a frame.
  void add_rest(const void* data, std::size_t bytes);

  // --- writing ---

  /// The bytes that wait, in order, at most pieces_max pieces; all frames in them are closed.
  std::span<iovec> pieces();
  void written(std::size_t bytes);
  /// Drops everything: nobody will read it.
  void clear();

 private:
  struct chunk {
    explicit chunk(std::size_t room)
        : data(std::make_unique_for_overwrite<unsigned char[]>(room)), capacity(room) {}
    std::unique_ptr<unsigned char[]> data;
    std::size_t capacity, begin = 0, end = 0;
  };

  unsigned char* room_in_open_frame(std::uint16_t to, std::size_t needed) {
    if (!open_ || open_to_ != to) return nullptr;
    chunk& last = chunks_.back();
    if (needed > last.capacity - last.end || open_size_ + needed > frame_bytes_) return nullptr;
    open_size_ += needed;
    return extend(last, needed);
  }
  unsigned char* extend(chunk& last, std::size_t needed) {
    unsigned char* const room = last.data.get() + last.end;
    last.end += needed;
    bytes_ += needed;
    return room;
  }
  unsigned char* begin_messages(std::uint16_t to, std::size_t needed);
  void close_frame();
  chunk& chunk_with(std::size_t room);
  void add_chunk(std::size_t room);
  void put_aside(chunk&& written);
  void add_bytes(const void* data, std::size_t bytes);

  const std::size_t frame_bytes_;
  std::deque<chunk> chunks_;
  std::vector<chunk> spare_;  // of chunk_bytes each
  std::size_t bytes_ = 0;
  std::uint64_t frames_ = 0;
  // the last frame, while messages may join it; null: there is none
  unsigned char* open_ = nullptr;
  std::uint16_t open_to_ = 0;
  std::size_t open_size_ = 0;
  iovec pieces_[pieces_max];
};

}  // namespace terrane
