// SPDX-License-Identifier: Apache-2.0
// frames_fuzz.cpp: any bytes as what a connection brings: frames or a named fault, within bounds.
//
//   cmake --preset fuzz && ninja -C build/fuzz frames_fuzz
//   build/fuzz/tests/frames_fuzz -max_total_time=3600 build/corpus tests/fuzz/frames
//
// The first byte chooses: even, the rest is fed as it is; odd, it says which frames to make, each
// with a right checksum, since no chance finds one.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "terrane/transport/tcp/frame_reader.hpp"

using namespace terrane;

namespace {

constexpr std::uint64_t large_bytes_max = 1 << 16;
volatile unsigned char seen;        // so that every byte is read
std::vector<unsigned char> landed;  // where a large message goes that goes to a place

void require(bool so) {
  if (!so) std::abort();
}

void look_at(const unsigned char* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) seen = data[i];
}

/// Takes all frames that are there. False: the reader has found a fault.
bool take_frames(frame_reader& from, bool to_place) {
  for (;;) switch (from.next()) {
      case frame_reader::state::wants_more: return true;
      case frame_reader::state::corrupt: require(!from.problem().empty()); return false;
      case frame_reader::state::has_frame:
        require(from.head().is_known());
        require(from.head().size <= frame_bytes_max(from.head().kind));
        look_at(from.data(), from.head().size);
        from.used();
        break;
      case frame_reader::state::is_announced:
        require(from.large_body_bytes() <= large_bytes_max);
        look_at(static_cast<const unsigned char*>(from.large_first().data),
                from.large_first().size);
        landed.assign(to_place ? from.large_body_bytes() : 0, 0);
        from.read_into(to_place ? landed.data() : nullptr);
        break;
      case frame_reader::state::has_large: {
        require(from.large().size <= large_bytes_max);
        unsigned char* const block = from.block();
        require((block == nullptr) == to_place);
        if (block)
          look_at(block, from.large().size);
        else
          look_at(landed.data(), landed.size());
        from.used();
        std::free(block);
        break;
      }
    }
}

/// Feeds the bytes in pieces of at most that many.
void feed(frame_reader& into, const std::vector<unsigned char>& bytes, std::size_t most,
          bool to_place) {
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t given = 0;
    for (const iovec& room : into.room()) {
      const std::size_t some = std::min({room.iov_len, bytes.size() - at - given, most - given});
      if (some != 0) std::memcpy(room.iov_base, bytes.data() + at + given, some);
      given += some;
      if (some < room.iov_len) break;
    }
    require(given != 0);
    into.got(given);
    at += given;
    if (!take_frames(into, to_place)) {
      require(into.next() == frame_reader::state::corrupt);  // for good
      return;
    }
  }
}

/// A frame of each five bytes: kind, processor, size in 2, and what its bytes are.
std::vector<unsigned char> frames_of(const std::uint8_t* from, std::size_t size) {
  std::vector<unsigned char> all;
  std::uint64_t before = 0;
  for (; size >= 5; from += 5, size -= 5) {
    const std::size_t bytes = (from[2] | std::size_t{from[3]} << 8) % 4096;
    std::vector<unsigned char> data(bytes, from[4]);
    // What a large message says of itself, near what is allowed, and often so that the part that
    // may follow fits: with 12 bits of the same size.
    if (from[0] % 16 == static_cast<unsigned>(frame_kind::large) && bytes >= sizeof(large_head)) {
      large_head head{from[4], std::uint64_t{from[1]} << (from[4] % 12)};
      if (from[0] >= 64) head.size = bytes - sizeof head + (from[1] | (from[4] & 15u) << 8);
      std::memcpy(data.data(), &head, sizeof head);
    }
    frame_head head;
    head.size = static_cast<std::uint32_t>(bytes);
    head.to = from[1];
    head.kind = static_cast<frame_kind>(from[0] % 16);
    head.check = head.check_of(before++, data.data());
    unsigned char raw[frame_head::bytes];
    head.write(raw);
    all.insert(all.end(), raw, raw + sizeof raw);
    all.insert(all.end(), data.begin(), data.end());
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const bool made = bytes[0] % 2 != 0;
  const std::size_t most = 1 + bytes[1] * std::size_t{16};
  const std::vector<unsigned char> all =
      made ? frames_of(bytes + 2, size - 2) : std::vector<unsigned char>(bytes + 2, bytes + size);
  const bool control = bytes[0] % 8 == 7;  // seldom, since its buffer is large
  frame_reader reader(control ? control_bytes_max : messages_bytes_max,
                      control ? 0 : large_bytes_max);
  feed(reader, all, most, bytes[0] % 4 < 2);
  return 0;
}
