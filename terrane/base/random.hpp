// SPDX-License-Identifier: Apache-2.0
// random.hpp: small seeded random numbers; every processor and node has its own stream.
#pragma once

#include <cstdint>

namespace terrane {

/// splitmix64: 64 bits of state, passes BigCrush. One stream for each (seed, number).
class random_stream {
 public:
  explicit random_stream(std::uint64_t seed, std::uint64_t number = 0)
      : state_(mix(mix(seed) + number * 0xd1342543de82ef95u)) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }

  /// Uniform in 0..bound-1; the bias is below 2^-32. bound >= 1.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  /// Mixes seed and number, so that the streams of neighbouring seeds are not shifted copies.
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace terrane
