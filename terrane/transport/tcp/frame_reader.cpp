// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/frame_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace terrane {

frame_reader::frame_reader(std::size_t frame_bytes_max, std::uint64_t large_bytes_max)
    : buffer_(std::max<std::size_t>(frame_head::bytes + frame_bytes_max, std::size_t{64} << 10)),
      frame_bytes_max_(frame_bytes_max),
      large_bytes_max_(large_bytes_max) {}

void frame_reader::drop_large() {
  std::free(block_.data);
  block_.data = nullptr;
}

std::span<iovec> frame_reader::room() {
  if (begin_ == end_) begin_ = end_ = 0;
  // A frame that has begun must fit: its beginning is moved to the start of the buffer.
  const bool in_use = state_ == state::has_frame || state_ == state::is_announced;
  if (begin_ != 0 && !in_use && buffer_.size() - end_ < buffer_.size() / 2) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, waiting());
    end_ -= begin_;
    begin_ = 0;
  }
  std::size_t count = 0;
  if (part_left_ != 0) room_[count++] = {body_ + filled_, part_left_};
  if (const std::size_t next = bytes_ahead(); next != 0) {
    room_[count++] = {buffer_.data() + end_, frame_head::bytes};
    room_[count++] = {body_ + filled_ + part_left_, next};
    const std::size_t behind = end_ + frame_head::bytes;
    if (behind != buffer_.size())
      room_[count++] = {buffer_.data() + behind, buffer_.size() - behind};
  } else if (end_ != buffer_.size()) {
    room_[count++] = {buffer_.data() + end_, buffer_.size() - end_};
  }
  return {room_, count};
}

std::size_t frame_reader::part_bytes_at(std::uint64_t at) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(part_bytes_max, body_bytes_ - at));
}

/// The bytes of the part behind the one that is being read, for which a read has room; 0: there is
/// none, or something else comes before it.
std::size_t frame_reader::bytes_ahead() const {
  if (!is_reading_ || waiting() != 0 || ahead_ != 0 || (part_.size != 0 && part_left_ == 0) ||
      buffer_.size() - end_ < frame_head::bytes)
    return 0;
  return part_bytes_at(filled_ + part_left_);
}

void frame_reader::got(std::size_t bytes) {
  const std::size_t next = bytes_ahead(), direct = std::min(bytes, part_left_);
  filled_ += direct;
  part_left_ -= direct;
  bytes -= direct;
  if (next == 0 || bytes <= frame_head::bytes) {
    end_ += bytes;
  } else {
    ahead_ = std::min(bytes - frame_head::bytes, next);
    end_ += bytes - ahead_;
  }
}

void frame_reader::take(std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    std::size_t taken = 0;
    for (const iovec& each : room()) {
      const std::size_t some = std::min(each.iov_len, bytes.size() - taken);
      std::memcpy(each.iov_base, bytes.data() + taken, some);
      taken += some;
    }
    if (taken == 0) return;  // the caller did not use what was there
    got(taken);
    bytes = bytes.subspan(taken);
    if (!bytes.empty() && next() != state::wants_more) return;
  }
}

frame_reader::state frame_reader::fail(std::string what) {
  problem_ = std::move(what);
  return state_ = state::corrupt;
}

frame_reader::state frame_reader::next() {
  if (state_ != state::wants_more) return state_;
  do {
    state_ = is_reading_ && part_.size != 0 ? take_part() : look_at_head();
  } while (state_ == state::wants_more && is_reading_ && part_.size == 0 &&
           waiting() >= frame_head::bytes);
  return state_;
}

frame_reader::state frame_reader::look_at_head() {
  if (waiting() < frame_head::bytes) return state::wants_more;
  const unsigned char* const at = buffer_.data() + begin_;
  const frame_head seen = frame_head::read(at);
  if (!seen.is_known())
    return fail(fmt::format("a frame of the unknown kind {}", static_cast<unsigned>(seen.kind)));
  const bool is_part = seen.kind == frame_kind::part;
  if (is_part != is_reading_)
    return fail(is_part ? "a part of no message" : "another frame amid a large message");
  if (seen.size > terrane::frame_bytes_max(seen.kind) || (!is_part && seen.size > frame_bytes_max_))
    return fail(fmt::format("a frame of {} bytes, which is too long", seen.size));
  if (is_part) {
    if (seen.size != part_bytes_at(filled_))
      return fail(fmt::format("a part of {} bytes for the last {} of a message", seen.size,
                              body_bytes_ - filled_));
    part_ = seen;
    filled_ += ahead_;
    part_left_ = seen.size - std::exchange(ahead_, 0);
    begin_ += frame_head::bytes;
    const std::size_t here = std::min(part_left_, waiting());
    std::memcpy(body_ + filled_, buffer_.data() + begin_, here);
    begin_ += here;
    filled_ += here;
    part_left_ -= here;
    return take_part();
  }
  if (waiting() < frame_head::bytes + seen.size) return state::wants_more;
  data_ = at + frame_head::bytes;
  if (seen.check != seen.check_of(frames_, data_)) return fail("bytes with a wrong checksum");
  ++frames_;
  head_ = seen;
  return seen.kind == frame_kind::large ? announce_large() : state::has_frame;
}

frame_reader::state frame_reader::announce_large() {
  if (head_.size < sizeof large_) return fail("a large message without its head");
  std::memcpy(&large_, data_, sizeof large_);
  if (large_.size > large_bytes_max_ || large_.size <= first_bytes())
    return fail(fmt::format("a large message of {} bytes", large_.size));
  large_to_ = head_.to;
  return state::is_announced;
}

void frame_reader::read_into(void* place) {
  state_ = state::wants_more;
  body_ = static_cast<unsigned char*>(place);
  body_bytes_ = large_body_bytes();
  if (!place) {
    block_.data = static_cast<unsigned char*>(std::malloc(large_.size));
    if (!block_.data) {
      fail(fmt::format("{} bytes, for which there is no memory", large_.size));
      return;
    }
    if (first_bytes() != 0) std::memcpy(block_.data, large_first().data, first_bytes());
    body_ = block_.data + first_bytes();
  }
  is_reading_ = true;
  filled_ = 0;
  part_ = {};
  part_left_ = ahead_ = 0;
  begin_ += frame_head::bytes + head_.size;
}

/// Ends the part if it is complete, and the message with its last part.
frame_reader::state frame_reader::take_part() {
  if (part_left_ != 0) return state::wants_more;
  if (part_.check != part_.check_of(frames_, body_ + filled_ - part_.size))
    return fail("bytes with a wrong checksum");
  ++frames_;
  part_ = {};
  if (filled_ != body_bytes_) return state::wants_more;
  is_reading_ = false;
  return state::has_large;
}

void frame_reader::used() {
  if (state_ == state::has_frame)
    begin_ += frame_head::bytes + head_.size;
  else if (state_ == state::has_large)
    block_.data = nullptr;
  state_ = state::wants_more;
}

}  // namespace terrane
