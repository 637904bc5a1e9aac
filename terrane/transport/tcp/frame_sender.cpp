// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/frame_sender.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "terrane/base/clock.hpp"
#include "terrane/base/rare.hpp"

namespace terrane {

namespace {

/// So long a large message waits for a socket that takes no more, before its rest is copied: about
/// as long as the copy takes, so that whichever was wrong costs no more than the right one again.
constexpr std::uint64_t patience_ns(std::size_t bytes_left) { return 10'000 + bytes_left / 5; }

}  // namespace

sent_figures frame_sender::figures() const {
  sent_figures all = figures_;
  all.frames = queue_.frames();
  return all;
}

/// Writes a beginning of the pieces; returns how many bytes.
std::size_t frame_sender::write_some(const stream_socket& socket, std::span<const iovec> pieces) {
  iovec little;
  if (TERRANE_RARE("tcp.write_is_cut", false)) {
    little = {pieces[0].iov_base, std::min<std::size_t>(pieces[0].iov_len, 7)};
    pieces = {&little, 1};
  }
  const ssize_t sent = socket.write(pieces);
  if (sent < 0 && errno != EAGAIN) shutdown(socket.number(), SHUT_RDWR);
  const std::size_t taken = sent < 0 ? 0 : static_cast<std::size_t>(sent);
  ++figures_.writes;
  figures_.bytes += taken;
  if (taken == 0 && blocked_since_ns_ == 0) {
    blocked_since_ns_ = monotonic_ns();
  } else if (taken != 0 && blocked_since_ns_ != 0) {
    figures_.blocked_ns += monotonic_ns() - blocked_since_ns_;
    blocked_since_ns_ = 0;
  }
  return taken;
}

bool frame_sender::write(const stream_socket& socket) {
  while (!queue_.empty()) {
    const std::size_t sent = write_some(socket, queue_.pieces());
    if (sent == 0) return false;
    queue_.written(sent);
  }
  return true;
}

/// Writes what waits and, if that was all, a beginning of `data`; returns how many bytes of `data`.
std::size_t frame_sender::write_with(const stream_socket& socket, bytes_view data) {
  const auto waiting = queue_.pieces();
  const std::size_t before = queue_.bytes();
  iovec all[send_queue::pieces_max + 1];
  std::copy(waiting.begin(), waiting.end(), all);
  std::size_t count = waiting.size(), bytes = 0;
  for (const iovec& each : waiting) bytes += each.iov_len;
  if (bytes == before) all[count++] = {const_cast<void*>(data.data), data.size};
  const std::size_t sent = write_some(socket, {all, count});
  queue_.written(std::min(sent, before));
  return sent - std::min(sent, before);
}

/// The head and the first bytes go through the queue; of the body, each part is written with what
/// waits before it, directly from `body`.
void frame_sender::add_large(std::uint16_t to, packed_head about, bytes_view head, bytes_view body,
                             const stream_socket* socket) {
  ++figures_.messages;
  std::vector<unsigned char> joined;
  if (head.size > small_message_bytes_max) {  // heads are small; this one becomes part of the body
    joined.resize(head.size + body.size);
    std::memcpy(joined.data(), head.data, head.size);
    if (body.size != 0) std::memcpy(joined.data() + head.size, body.data, body.size);
    head = {};
    body = {joined.data(), joined.size()};
  }
  large_head announced{};
  about.write(reinterpret_cast<unsigned char*>(&announced.packed));
  announced.size = head.size + body.size;
  queue_.add_frame(frame_kind::large, to, {&announced, sizeof announced}, head);
  const auto* from = static_cast<const unsigned char*>(body.data);
  for (std::size_t at = 0; at < body.size;) {
    const std::size_t size = std::min(part_bytes_max, body.size - at);
    unsigned char part[frame_head::bytes];
    queue_.make_head(frame_kind::part, to, {from + at, size}, part);
    queue_.add_rest(part, sizeof part);
    std::size_t written = 0;
    while (socket && written < size) {
      const std::size_t sent = write_with(*socket, {from + at + written, size - written});
      written += sent;
      if (sent == 0 && is_blocked() &&
          monotonic_ns() - blocked_since_ns_ > patience_ns(body.size - at - written))
        break;
    }
    if (written != size) {
      queue_.add_rest(from + at + written, size - written);
      socket = nullptr;  // it takes no more now
    }
    at += size;
  }
}

}  // namespace terrane
