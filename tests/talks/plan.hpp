// SPDX-License-Identifier: Apache-2.0
// plan.hpp: what the members of a storm of messages are to send, drawn from a seed: each member
// knows the whole plan, and so what it may receive.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <random>
#include <vector>

namespace terrane::talks {

enum context : std::uint8_t { plain, of_rope, of_twin, contexts };
enum way : std::uint8_t { usual, until_received, ways };

struct planned {
  std::uint32_t number;  // says what it has
  int from, to, tag;
  std::uint32_t bytes;
  context in;
  way how;
};

/// Byte i of a message.
inline unsigned char content(std::uint32_t number, std::size_t i) {
  return static_cast<unsigned char>(number * 131u + static_cast<unsigned>(i) * 7u + (i >> 8));
}
inline void fill(unsigned char* into, std::uint32_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) into[i] = content(number, i);
}
inline bool is_filled(const unsigned char* with, std::uint32_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (with[i] != content(number, i)) return false;
  return true;
}

using plans = std::pmr::vector<planned>;

struct shape {
  int members = 6, rounds = 4, messages = 40;
  std::uint32_t bytes_max = 1 << 20;
};

using chance = std::mt19937_64;
inline std::uint32_t below(chance& draws, std::uint32_t n) {
  return static_cast<std::uint32_t>(draws() % n);
}

/// Mostly short ones; now and then around the eager size, and as long as may be.
inline std::uint32_t drawn_bytes(chance& draws, std::uint32_t most) {
  const std::uint32_t kind = below(draws, 100);
  std::uint32_t bytes = below(draws, 200);
  if (kind < 10) bytes = 0;
  if (kind >= 80) bytes = 16384 - 2 + below(draws, 5);
  if (kind >= 90) bytes = below(draws, 70'000);
  if (kind >= 98) bytes = below(draws, most + 1);
  return bytes < most ? bytes : most;
}

/// The messages of one round, in the order in which their senders begin them.
inline void round_of(std::uint64_t seed, int round, const shape& how, plans& all) {
  chance draws(seed * 1'000'003 + static_cast<std::uint64_t>(round));
  const int hot = static_cast<int>(below(draws, static_cast<std::uint32_t>(how.members)));
  const std::uint32_t tags = 1 + below(draws, 4);
  for (int i = 0; i < how.messages; ++i) {
    planned one{};
    one.number = static_cast<std::uint32_t>(round * how.messages + i);
    one.from = static_cast<int>(below(draws, static_cast<std::uint32_t>(how.members)));
    one.to = below(draws, 3) == 0
                 ? hot
                 : static_cast<int>(below(draws, static_cast<std::uint32_t>(how.members)));
    one.tag = static_cast<int>(below(draws, tags));
    one.bytes = drawn_bytes(draws, how.bytes_max);
    one.in = static_cast<context>(below(draws, contexts));
    one.how = static_cast<way>(below(draws, ways));
    all.push_back(one);
  }
}

}  // namespace terrane::talks
