// SPDX-License-Identifier: Apache-2.0
// frame_sender.hpp: writes frames to one connection.
//
// Purpose     Small messages wait in a send_queue until they are written together. A large message
//             is written at once from where it lies; only what the socket does not take is copied.
// Invariants  Nothing blocks. After a failed write the socket is shut down, so that whoever reads
//             from it sees the end.
// Threads     One at a time.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "terrane/transport/tcp/send_queue.hpp"
#include "terrane/transport/tcp/stream_socket.hpp"

namespace terrane {

/// What has been sent over one connection.
struct sent_figures {
  std::uint64_t messages = 0, bytes = 0, frames = 0, writes = 0;
  std::uint64_t blocked_ns = 0;  // while the socket took no more
};

class frame_sender {
 public:
  explicit frame_sender(std::size_t frame_bytes = messages_bytes_max) : queue_(frame_bytes) {}

  send_queue& queue() { return queue_; }
  bool empty() const { return queue_.empty(); }
  std::size_t bytes() const { return queue_.bytes(); }
  /// Whether the socket took no more at the last write.
  bool is_blocked() const { return blocked_since_ns_ != 0; }
  sent_figures figures() const;

  void add_message(std::uint16_t to, packed_head about, bytes_view head, bytes_view body) {
    ++figures_.messages;
    queue_.add_message(to, about, head, body);
  }
  void add_frame(frame_kind kind, bytes_view data) { queue_.add_frame(kind, 0, data); }
  /// Sends a message of more than small_message_bytes_max. socket: where it may be written at once;
  /// null: nowhere yet, it is copied.
  void add_large(std::uint16_t to, packed_head about, bytes_view head, bytes_view body,
                 const stream_socket* socket);
  /// Writes what waits. True if nothing waits any more.
  bool write(const stream_socket& socket);
  /// The other side is lost.
  void drop() { queue_.clear(); }

 private:
  std::size_t write_with(const stream_socket& socket, bytes_view data);
  std::size_t write_some(const stream_socket& socket, std::span<const iovec> pieces);

  send_queue queue_;
  sent_figures figures_;
  std::uint64_t blocked_since_ns_ = 0;
};

}  // namespace terrane
