// SPDX-License-Identifier: Apache-2.0
// control.hpp: the connection between a node and its launcher, as both use it, and what it carries.
//
// Protocol    node -> launcher   launcher -> node
//               (handshake: who the node is, where it listens, where its code lies)
//                                members, when all nodes are there
//               ready            begin, when all are ready
//               beat ...         alive ...
//                                lost, for each node whose process has ended too early
//               clock_asked      clock_told, of a run that is traced
//               trouble          (the run is ended)
//               share ..., finished
//                                leave, when all have finished: until then nobody closes a
//                                connection, so that nothing that was sent is lost
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "terrane/base/clock.hpp"
#include "terrane/transport/roster.hpp"
#include "terrane/transport/tcp/connection.hpp"
#include "terrane/transport/tcp/frame_sender.hpp"

namespace terrane {

struct beat_record {
  std::uint64_t tokens;
  std::uint32_t phase;  // node_phase
  std::uint32_t busy;
};

struct lost_record {
  node_id node;
};

/// Nanoseconds of CLOCK_MONOTONIC: of the node when it asked, of the launcher when it answered.
struct clock_record {
  std::uint64_t asked, launcher;
};

/// Followed by the text.
struct trouble_record {
  node_id node;
};

/// The beginning of a frame's bytes; nothing if it has too few.
template <class Record>
std::optional<Record> record_in(const frame_head& head, const unsigned char* data) {
  if (head.size < sizeof(Record)) return {};
  Record record;
  std::memcpy(&record, data, sizeof record);
  return record;
}

/// One thread at a time.
struct control_link {
  explicit control_link(connection made) : link(std::move(made)) {}

  connection link;
  frame_sender out;
  std::uint64_t heard_ns = 0;  // monotonic_ns when the last bytes came; 0: none have

  void send(frame_kind kind, bytes_view data = {}) {
    out.add_frame(kind, data);
    flush();
  }
  template <class Record>
  void send(frame_kind kind, const Record& record) {
    send(kind, bytes_view{&record, sizeof record});
  }
  void flush() {
    if (link.is_open()) out.write(link.socket());
  }
  bool wants_to_write() const { return link.wants_to_write() || (link.is_open() && !out.empty()); }
  /// Takes what has come, and calls use(head, data) for each frame; false ends the connection.
  template <class Use>
  void take(Use&& use) {
    link.greet();
    while (link.is_open()) {
      for (auto now = link.in().next(); now != frame_reader::state::wants_more;
           now = link.in().next()) {
        if (now == frame_reader::state::corrupt)
          return link.close("brought " + link.in().problem(), true);
        if (!use(link.in().head(), link.in().data()))
          return link.close("brought a frame that no runtime sends", true);
        link.in().used();
      }
      if (!link.read()) return flush();
      heard_ns = monotonic_ns();
    }
  }
};

}  // namespace terrane
