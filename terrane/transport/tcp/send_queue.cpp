// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/send_queue.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace terrane {

send_queue::chunk& send_queue::chunk_with(std::size_t room) {
  if (chunks_.empty() || chunks_.back().capacity - chunks_.back().end < room) add_chunk(room);
  return chunks_.back();
}

void send_queue::add_chunk(std::size_t room) {
  if (room > chunk_bytes || spare_.empty()) {
    chunks_.emplace_back(std::max(room, chunk_bytes));
  } else {
    chunks_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
}

void send_queue::put_aside(chunk&& written) {
  if (written.capacity != chunk_bytes || spare_.size() == spare_chunks_max) return;
  written.begin = written.end = 0;
  spare_.push_back(std::move(written));
}

/// Appends bytes over as many chunks as they take.
void send_queue::add_bytes(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const unsigned char*>(data);
  while (bytes != 0) {
    chunk& last = chunk_with(1);
    const std::size_t some = std::min(bytes, last.capacity - last.end);
    std::memcpy(extend(last, some), from, some);
    from += some;
    bytes -= some;
  }
}

void send_queue::close_frame() {
  if (!open_) return;
  frame_head head{
      .size = static_cast<std::uint32_t>(open_size_), .to = open_to_, .kind = frame_kind::messages};
  head.check = head.check_of(frames_++, open_ + frame_head::bytes);
  head.write(open_);
  open_ = nullptr;
}

unsigned char* send_queue::begin_messages(std::uint16_t to, std::size_t needed) {
  close_frame();
  open_ = extend(chunk_with(frame_head::bytes + needed), frame_head::bytes);
  open_to_ = to;
  open_size_ = needed;
  return extend(chunks_.back(), needed);
}

void send_queue::add_frame(frame_kind kind, std::uint16_t to, bytes_view first, bytes_view then) {
  close_frame();
  const std::size_t size = first.size + then.size;
  unsigned char* const at = extend(chunk_with(frame_head::bytes + size), frame_head::bytes + size);
  unsigned char* const data = at + frame_head::bytes;
  if (first.size != 0) std::memcpy(data, first.data, first.size);
  if (then.size != 0) std::memcpy(data + first.size, then.data, then.size);
  make_head(kind, to, {data, size}, at);
}

void send_queue::make_head(frame_kind kind, std::uint16_t to, bytes_view data,
                           unsigned char* head) {
  close_frame();
  frame_head its{.size = static_cast<std::uint32_t>(data.size), .to = to, .kind = kind};
  its.check = its.check_of(frames_++, data.data);
  its.write(head);
}

void send_queue::add_rest(const void* data, std::size_t bytes) {
  close_frame();
  add_bytes(data, bytes);
}

std::span<iovec> send_queue::pieces() {
  close_frame();
  std::size_t count = 0;
  for (chunk& each : chunks_) {
    if (count == pieces_max) break;
    if (each.begin != each.end)
      pieces_[count++] = {each.data.get() + each.begin, each.end - each.begin};
  }
  return {pieces_, count};
}

void send_queue::clear() {
  chunks_.clear();
  bytes_ = 0;
  open_ = nullptr;
}

void send_queue::written(std::size_t bytes) {
  if (bytes == 0) return;
  bytes_ -= bytes;
  for (;;) {
    chunk& oldest = chunks_.front();
    const std::size_t its = std::min(bytes, oldest.end - oldest.begin);
    oldest.begin += its;
    bytes -= its;
    if (oldest.begin != oldest.end) return;
    if (chunks_.size() == 1) {
      oldest.begin = oldest.end = 0;
      if (oldest.capacity > chunk_bytes) chunks_.clear();
      return;
    }
    put_aside(std::move(chunks_.front()));
    chunks_.pop_front();
  }
}

}  // namespace terrane
