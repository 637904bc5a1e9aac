// SPDX-License-Identifier: Apache-2.0
// format.hpp: the parts of a trace file as bytes: chunks, check sums, numbers of variable length.
//
// docs/trace-format.md describes the file. Writer and reader share this header and nothing else.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace terrane {

/// The first bytes of a file.
inline constexpr std::string_view trace_magic{"TerraneTrace 1\r\n", 16};

enum class chunk_kind : std::uint32_t {
  head = 1,     // JSON: which run this is, and the table of events
  names = 2,    // of functions, fibers and texts
  events = 3,   // of one source
  clock = 4,    // ticks, CLOCK_MONOTONIC, time of the run
  dropped = 5,  // events that one source lost so far, by class
  end = 6,      // JSON: how the run ended
  exchange = 7  // stamps of the process and of the launcher
};

/// What is a source's number beside its processor's: the node's policy, and the process itself.
inline constexpr std::uint32_t source_of_policy = 0x80000000u;
inline constexpr std::uint32_t source_of_process = 0xc0000000u;
/// The `process` of chunks that the launcher wrote.
inline constexpr std::uint32_t launcher_process = 0xffffffffu;

/// The byte before each name in a chunk of names: what it is the name of.
enum class name_sort : std::uint8_t { function = 1, fiber = 2, text = 3 };

/// What the table of events calls the kinds of fields, in the order of both enumerations of them:
/// field_kind of the runtime and trace_field::kind of the reader.
inline constexpr std::string_view field_kind_names[] = {
    "number", "integer", "node", "processor", "message", "frame", "function", "fiber", "text"};

/// Before each chunk's bytes; little endian, as is every number of fixed length.
struct chunk_head {
  std::uint32_t mark;
  std::uint32_t kind;
  std::uint32_t process;  // number of the first node in the process that wrote it
  std::uint32_t source;
  std::uint32_t bytes;
  std::uint32_t own_sum;  // of the fields before it
  std::uint64_t sum;      // of the bytes that follow
};
static_assert(sizeof(chunk_head) == 32 && std::endian::native == std::endian::little);
inline constexpr std::uint32_t chunk_mark = 0x6b684354;  // "TChk"
inline constexpr std::uint32_t chunk_bytes_max = 64u << 20;

/// Mixes 8 bytes at a time: finds every single changed bit, and is quicker than a disk.
inline std::uint64_t check_sum(std::string_view bytes) {
  std::uint64_t sum = 0x9e3779b97f4a7c15u ^ bytes.size();
  const auto mix = [&sum](std::uint64_t word) {
    sum = (sum ^ word) * 0xbf58476d1ce4e5b9u;
    sum ^= sum >> 29;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    mix(word);
  }
  std::uint64_t last = 0;
  if (at != bytes.size()) std::memcpy(&last, bytes.data() + at, bytes.size() - at);
  mix(last);
  return sum;
}

inline std::uint32_t own_sum_of(const chunk_head& head) {
  return static_cast<std::uint32_t>(
      check_sum({reinterpret_cast<const char*>(&head), offsetof(chunk_head, own_sum)}));
}

/// The chunk as bytes.
inline std::string make_chunk(chunk_kind kind, std::uint32_t process, std::uint32_t source,
                              std::string_view bytes) {
  chunk_head head{chunk_mark,      static_cast<std::uint32_t>(kind),         process,
                  source,          static_cast<std::uint32_t>(bytes.size()), 0,
                  check_sum(bytes)};
  head.own_sum = own_sum_of(head);
  std::string chunk(reinterpret_cast<const char*>(&head), sizeof head);
  chunk += bytes;
  return chunk;
}

// --- numbers: 7 bits a byte, lowest first; the highest bit says that more follow ---

inline void add_number(std::string& to, std::uint64_t value) {
  while (value >= 0x80) {
    to += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  to += static_cast<char>(value);
}
/// With a sign: the sign is the lowest bit.
inline std::uint64_t folded(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unfolded(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

/// Reads numbers from bytes that may be damaged. After an error `good` is false, and all that is
/// read is 0 or empty.
struct byte_reader {
  std::string_view bytes;
  bool good = true;

  bool at_end() const { return bytes.empty() || !good; }
  std::uint8_t byte() {
    if (at_end()) return fail();
    const auto first = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    return first;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) return good ? value : 0;
    }
    return fail();
  }
  std::string_view text() {
    const std::uint64_t size = number();
    if (!good || size > bytes.size()) return fail(), std::string_view();
    const std::string_view its = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return its;
  }

 private:
  std::uint8_t fail() {
    good = false;
    return 0;
  }
};

inline void add_text(std::string& to, std::string_view text) {
  add_number(to, text.size());
  to += text;
}

}  // namespace terrane
