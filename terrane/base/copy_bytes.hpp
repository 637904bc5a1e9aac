// SPDX-License-Identifier: Apache-2.0
// copy_bytes.hpp: memcpy for blocks that are mostly a few words long, where a call would cost more
// than the copy.
#pragma once

#include <cstddef>
#include <cstring>

namespace terrane {

/// Copies the first and the last Part bytes, which may overlap and together are the whole block.
template <std::size_t Part>
void copy_two_parts(void* to, const void* from, std::size_t bytes) {
  struct part {
    unsigned char of[Part];
  };
  part first, last;
  const std::size_t second = bytes - Part;
  std::memcpy(&first, from, Part);
  std::memcpy(&last, static_cast<const unsigned char*>(from) + second, Part);
  std::memcpy(to, &first, Part);
  std::memcpy(static_cast<unsigned char*>(to) + second, &last, Part);
}

/// The two do not overlap.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes > 32 || bytes < 8) {
    if (bytes != 0) std::memcpy(to, from, bytes);
  } else if (bytes >= 16) {
    copy_two_parts<16>(to, from, bytes);
  } else {
    copy_two_parts<8>(to, from, bytes);
  }
}

}  // namespace terrane
