// SPDX-License-Identifier: Apache-2.0
// cursors.cpp: the events of a trace, one after the other.
#include <algorithm>

#include "terrane/trace/format.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

trace_file::cursor::cursor(const trace_file& file, std::uint32_t source)
    : file_(file), source_(source) {}

bool trace_file::cursor::open_chunk() {
  const auto& chunks = file_.chunks_[source_];
  if (chunk_ == chunks.size()) return false;
  byte_reader from{chunks[chunk_++]};
  ticks_ = from.number();
  frame_ = 0;
  left_ = from.good ? from.bytes : std::string_view();
  return true;
}

/// Time does not go back within a source. The stamps of a simulated node's policy may, because it
/// runs on processors whose clocks differ by the turn that one of them is in.
void trace_file::cursor::set_time() {
  ns_ = std::max(ns_, file_.time_of(file_.sources_[source_].process, ticks_, segment_));
}

bool trace_file::cursor::next(trace_event& event) {
  byte_reader from{left_};
  for (;;) {
    while (from.at_end()) {
      if (!open_chunk()) return false;
      from = {left_};
      set_time();
    }
    event.type = from.byte();
    if (event.type == 0) {
      ticks_ += static_cast<std::uint64_t>(unfolded(from.number()));
      set_time();
    } else if (event.type >= file_.types_.size()) {
      from.good = false;  // the rest of the chunk has no meaning
    } else if (read_fields(from, event)) {
      break;
    }
  }
  event.ns = ns_;
  event.source = source_;
  left_ = from.bytes;
  return true;
}

/// False: the chunk ended in the middle of the event.
bool trace_file::cursor::read_fields(byte_reader& from, trace_event& event) {
  const auto& fields = file_.types_[event.type].fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint64_t number = from.number();
    switch (fields[i].is) {
      case trace_field::kind::integer:
        event.values[i] = static_cast<std::uint64_t>(unfolded(number));
        break;
      case trace_field::kind::frame:
        event.values[i] = frame_ += static_cast<std::uint64_t>(unfolded(number));
        break;
      default: event.values[i] = number;
    }
  }
  return from.good;
}

bool trace_file::in_time::later(const waiting& left, const waiting& right) {
  return left.event.ns != right.event.ns ? left.event.ns > right.event.ns : left.of > right.of;
}

trace_file::in_time::in_time(const trace_file& file) {
  for (std::uint32_t source = 0; source < file.sources().size(); ++source)
    cursors_.emplace_back(file, source);
  for (std::size_t i = 0; i < cursors_.size(); ++i)
    if (waiting first{{}, i}; cursors_[i].next(first.event)) heap_.push_back(first);
  std::make_heap(heap_.begin(), heap_.end(), later);
}

bool trace_file::in_time::next(trace_event& event) {
  if (heap_.empty()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  waiting& first = heap_.back();
  event = first.event;
  if (cursors_[first.of].next(first.event))
    std::push_heap(heap_.begin(), heap_.end(), later);
  else
    heap_.pop_back();
  return true;
}

}  // namespace terrane
