// SPDX-License-Identifier: Apache-2.0
// node_facts.hpp: what two nodes tell each other about themselves once each has proved who it is.
//
// Format      A block of fixed size, so that nobody reads a length before the proof has been
//             checked. Numbers are little-endian; a text is a byte with its length, then its room.
//             The rest of a text's room is zero.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace terrane {

struct node_facts {
  static constexpr std::size_t build_bytes_max = 64, host_bytes_max = 255, address_bytes_max = 63;
  static constexpr std::size_t block_bytes = 448;
  using block = std::array<unsigned char, block_bytes>;

  std::string build;          // of the executable: equal in all nodes of a run
  std::string host;           // as people call it
  std::string address;        // where its listener is; empty: it has none
  std::uint16_t port = 0;     // of the listener
  std::uint32_t version = 0;  // of the wire format: equal in all nodes of a run
  std::uint32_t process = 0;  // its number on that host
  std::uint64_t image = 0;    // where the executable begins
  std::uint64_t layout = 0;   // base/code_layout.hpp
  std::uint64_t stacks = 0;   // where stacks of threads that move lie; 0: none move

  /// Texts that are too long are cut, and bytes in them that do not print become '?'.
  block encode() const;

  /// Nothing if a length exceeds its room, a text holds what does not print, or unused room is not
  /// zero.
  static std::optional<node_facts> decode(std::span<const unsigned char, block_bytes> from);

  bool operator==(const node_facts&) const = default;
};

}  // namespace terrane
