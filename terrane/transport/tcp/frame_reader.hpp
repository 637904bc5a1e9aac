// SPDX-License-Identifier: Apache-2.0
// frame_reader.hpp: makes frames of the bytes that a connection brings.
//
// Purpose     Bytes are read into one buffer; the bytes of a large message are read directly into
//             its block, or to a place that the caller names when the message is announced. next()
//             returns one whole frame or large message at a time, which stays where it is until
//             used().
// Ahead       Parts have the length that the rest of their message asks for. So room() also has the
//             places of the next part's head and bytes, and one read brings both where they belong.
// Invariants  Nothing is believed before it is checked: a length before that many bytes are waited
//             for, a checksum before the bytes are handed on, and what a large message says of
//             itself before memory is asked for. After `corrupt` nothing more is read.
// Cost        Memory: the buffer, and one large message.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "terrane/core/message.hpp"
#include "terrane/transport/tcp/frame.hpp"

namespace terrane {

class frame_reader {
 public:
  /// large_bytes_max: larger messages are refused. 0: this connection carries none.
  frame_reader(std::size_t frame_bytes_max, std::uint64_t large_bytes_max);
  frame_reader(frame_reader&&) = default;
  frame_reader& operator=(frame_reader&&) = default;
  ~frame_reader() { drop_large(); }

  // --- input ---

  /// Where the next bytes belong.
  std::span<iovec> room();
  /// That many bytes were written there.
  void got(std::size_t bytes);
  /// The same for bytes that lie elsewhere.
  void take(std::span<const unsigned char> bytes);

  // --- output ---

  enum class state { wants_more, has_frame, is_announced, has_large, corrupt };
  /// Goes on to the next frame, unless the last one was not used yet.
  state next();
  /// state::has_frame
  const frame_head& head() const { return head_; }
  const unsigned char* data() const { return data_; }
  /// state::has_large: the block, made by malloc, which the caller takes over with used(); null:
  /// the message's body lies at the place that was named.
  unsigned char* block() const { return block_.data; }
  // state::is_announced, has_large
  const large_head& large() const { return large_; }
  std::uint16_t large_to() const { return large_to_; }
  /// state::is_announced: the message's first bytes. read_into() is to follow.
  bytes_view large_first() const { return {data_ + sizeof large_, first_bytes()}; }
  std::uint64_t large_body_bytes() const { return large_.size - first_bytes(); }
  /// Where the rest of the message belongs; null: with its first bytes in one block.
  void read_into(void* place);
  /// The frame is not needed any more, or the block belongs to the caller.
  void used();
  /// state::corrupt: completes "it sent ...".
  const std::string& problem() const { return problem_; }

 private:
  struct owned_block {
    unsigned char* data = nullptr;
    owned_block() = default;
    owned_block(owned_block&& other) noexcept : data(std::exchange(other.data, nullptr)) {}
    owned_block& operator=(owned_block&& other) noexcept {
      std::swap(data, other.data);
      return *this;
    }
  };
  state fail(std::string what);
  state announce_large();
  std::size_t bytes_ahead() const;
  std::size_t first_bytes() const { return head_.size - sizeof large_; }
  /// The bytes of the part that begins at `at`, if no head says otherwise.
  std::size_t part_bytes_at(std::uint64_t at) const;
  state take_part();
  state look_at_head();
  void drop_large();
  std::size_t waiting() const { return end_ - begin_; }

  std::vector<unsigned char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t frame_bytes_max_;
  std::uint64_t large_bytes_max_;
  std::uint64_t frames_ = 0;
  state state_ = state::wants_more;
  frame_head head_;
  const unsigned char* data_ = nullptr;
  std::string problem_;
  // the large message that is being read
  bool is_reading_ = false;
  owned_block block_;
  large_head large_{};
  std::uint16_t large_to_ = 0;
  unsigned char* body_ = nullptr;              // where its body goes
  std::uint64_t body_bytes_ = 0, filled_ = 0;  // of the body
  // the part of it that is being read
  frame_head part_;
  std::size_t part_left_ = 0;
  std::size_t ahead_ = 0;  // bytes behind a head that is not read yet, which lie where they belong
  iovec room_[4];
};

}  // namespace terrane
