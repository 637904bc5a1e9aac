// SPDX-License-Identifier: Apache-2.0
// frame.hpp: what a connection carries: frames, each a head and its bytes.
//
// Purpose     A `messages` frame holds messages for one processor, packed as in a ring's record
//             (outbox.hpp). A message of more than small_message_bytes_max travels as a `large`
//             frame and `part` frames, which the receiver reads directly to where they belong: the
//             head of a part that follows another is expected at its place. The
//             other kinds are for the connection between a node and its launcher (control.hpp).
// Invariants  A head is trusted only after its length was compared with what its kind allows, and
//             the bytes after it only after their checksum was compared. The checksum also covers
//             how many frames came before on this connection, so a frame that is lost, repeated or
//             out of order is found, too.
// Source      docs/wire-format.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "terrane/transport/tcp/checksum.hpp"

namespace terrane {

/// Equal in all nodes of a run; the handshake compares it.
inline constexpr std::uint32_t wire_version = 2;

enum class frame_kind : std::uint8_t {
  none,
  messages,  // for processor `to`
  large,     // large_head, then the message's first bytes
  part,      // the next part_bytes_max bytes of the large message, or its last ones
  // from a node to its launcher
  ready,     // the node has what it needs to run
  beat,      // beat_record
  share,     // text: the next part of the node's share
  finished,  // the share is complete
  trouble,   // trouble_record: a connection to another node has failed
  // from the launcher to a node
  members,  // a node_facts block for each node
  begin,    // the run begins
  alive,    // the launcher is there
  lost,     // node number: that node's process has ended
  leave,    // nothing is expected of this process any more
  // a node asks for the launcher's time, and is told it
  clock_asked,  // clock_record
  clock_told,   // clock_record
};
inline constexpr frame_kind last_frame_kind = frame_kind::clock_told;

struct frame_head {
  static constexpr std::size_t bytes = 16;

  std::uint32_t size = 0;  // bytes that follow the head
  std::uint16_t to = 0;    // a processor of the receiving node, or any_processor
  frame_kind kind = frame_kind::none;
  std::uint8_t unused = 0;
  std::uint64_t check = 0;

  void write(unsigned char* at) const {
    const std::uint64_t word = first_word();
    std::memcpy(at, &word, sizeof word);
    std::memcpy(at + sizeof word, &check, sizeof check);
  }
  static frame_head read(const unsigned char* at) {
    std::uint64_t word;
    frame_head head;
    std::memcpy(&word, at, sizeof word);
    std::memcpy(&head.check, at + sizeof word, sizeof head.check);
    head.size = static_cast<std::uint32_t>(word);
    head.to = static_cast<std::uint16_t>(word >> 32);
    head.kind = static_cast<frame_kind>(word >> 48 & 0xff);
    head.unused = static_cast<std::uint8_t>(word >> 56);
    return head;
  }
  bool is_known() const {
    return kind != frame_kind::none && kind <= last_frame_kind && unused == 0;
  }
  /// before: how many frames this connection carried in this direction before it.
  std::uint64_t check_of(std::uint64_t before, const void* data) const {
    return checksum(first_word() ^ before << 20 ^ before >> 44, data, size);
  }

  std::uint64_t first_word() const {
    return size | std::uint64_t{to} << 32 | static_cast<std::uint64_t>(kind) << 48 |
           std::uint64_t{unused} << 56;
  }
};

/// At the start of a `large` frame.
struct large_head {
  std::uint64_t packed;  // the packed_head of the message, with its size 0
  std::uint64_t size;    // bytes of the whole message
};

/// A message of more bytes is large.
inline constexpr std::size_t small_message_bytes_max = 8192;
/// The bytes of a `messages` frame. It becomes one record of a ring.
inline constexpr std::size_t messages_bytes_max = 16384;
inline constexpr std::size_t part_bytes_max = std::size_t{128} << 10;
inline constexpr std::size_t control_bytes_max = std::size_t{1} << 20;

/// The most bytes that a frame of that kind may have.
constexpr std::size_t frame_bytes_max(frame_kind kind) {
  if (kind == frame_kind::messages) return messages_bytes_max;
  if (kind == frame_kind::large) return messages_bytes_max;
  return kind == frame_kind::part ? part_bytes_max : control_bytes_max;
}

}  // namespace terrane
