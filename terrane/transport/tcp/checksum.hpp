// SPDX-License-Identifier: Apache-2.0
// checksum.hpp: a number that shows that bytes were changed on their way.
//
// Method      Four lanes of 64 bits. A lane is combined with a word by exclusive or, multiplied by
//             an odd number, and rotated. Each of these steps can be undone, so a change of one
//             word always changes its lane. At the end the lanes are mixed.
// Limits      It finds accidents, not attacks: who can change bytes can also change the number.
//             Against attackers there is TLS (docs/security.md).
// Cost        About 0.1 ns per byte.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace terrane {

/// seed: what besides the bytes is to be protected. The bytes are taken as little-endian words.
inline std::uint64_t checksum(std::uint64_t seed, const void* data, std::size_t bytes) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;
  const auto* at = static_cast<const unsigned char*>(data);
  std::uint64_t lanes[4] = {seed + 1, seed ^ odd, ~seed, bytes};
  const auto take = [](std::uint64_t lane, const unsigned char* from, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, size);
    return std::rotl((lane ^ word) * odd, 29);
  };
  std::size_t left = bytes;
  for (; left >= 32; left -= 32, at += 32)
    for (int i = 0; i < 4; ++i) lanes[i] = take(lanes[i], at + 8 * i, 8);
  for (int i = 0; left > 0; ++i) {
    const std::size_t size = left < 8 ? left : 8;
    lanes[i] = take(lanes[i], at, size);
    at += size;
    left -= size;
  }
  std::uint64_t all = 0;
  for (const std::uint64_t lane : lanes) {
    all = (all ^ lane) * odd;
    all ^= all >> 32;
  }
  return all;
}

}  // namespace terrane
