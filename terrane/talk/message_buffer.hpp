// SPDX-License-Identifier: Apache-2.0
// message_buffer.hpp: memory that is sent by being given away.
//
//   message_buffer rows(n * sizeof(double));
//   std::ranges::fill(rows.as<double>(), 1.0);
//   send(other, 7, std::move(rows));             // rows is empty now
//   auto got = recv<message_buffer>(other, 8);   // of whatever size
//
// Cost        No copy in worlds local and shm; in shm buffers lie in memory that all processes have
//             at the same address. Elsewhere the bytes travel as those of other messages do.
// Rules       A buffer may be received into other memory, and other messages into a buffer. It
//             counts among unreceived messages (--eager) by its head alone. The thread that has it
//             stays on its node, or in world shm on its host.
// Errors      R-240 if there is no memory.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace terrane {

class message_buffer {
 public:
  message_buffer() = default;
  /// Memory of so many bytes, not initialised, at a multiple of 64.
  explicit message_buffer(std::size_t bytes);
  message_buffer(message_buffer&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  message_buffer& operator=(message_buffer&& other) noexcept {
    if (this == &other) return *this;
    free();
    block_ = std::exchange(other.block_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~message_buffer() { free(); }

  void* data() { return block_; }
  const void* data() const { return block_; }
  std::size_t bytes() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }
  /// Its bytes as elements; a rest that is no whole element is left out.
  template <class T>
  std::span<T> as() {
    return {static_cast<T*>(block_), bytes_ / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {static_cast<const T*>(block_), bytes_ / sizeof(T)};
  }

  // --- for what carries it ---

  /// Gives the memory up; adopt() makes a buffer of it again.
  void* release() {
    bytes_ = 0;
    return std::exchange(block_, nullptr);
  }
  static message_buffer adopt(void* block, std::size_t bytes) {
    message_buffer made;
    made.block_ = block;
    made.bytes_ = bytes;
    return made;
  }
  /// True if all nodes of the machine find this memory at its address.
  bool is_everywhere() const;

 private:
  void free() {
    if (block_) free_block(block_);
  }
  static void free_block(void* block);

  void* block_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace terrane
