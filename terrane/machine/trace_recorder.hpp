// SPDX-License-Identifier: Apache-2.0
// trace_recorder.hpp: writes the events of one process to the trace file of the run.
//
// File        The process that starts the run makes the file and writes its head (trace_file.hpp's
//             start_trace). Every process of the run then appends whole chunks, each by one write
//             of a descriptor that appends, which Linux does not mix with the writes of others. So
//             there is one file, and what was written stays if the process is killed.
// Flushes     A thread empties the rings every millisecond, or at once while there is much in them.
//             What it took is written when 256 KiB have come together, and every 100 ms.
// Invariants  `lock_` guards all that the thread does, because a failing thread does the same.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "terrane/base/result.hpp"
#include "terrane/core/world.hpp"
#include "terrane/monitor/event_rooms.hpp"
#include "terrane/monitor/trace_encoder.hpp"

namespace terrane {

class trace_recorder {
 public:
  /// process: the number of its first node. An error: the file cannot be opened.
  static result<std::unique_ptr<trace_recorder>> open(const std::string& path,
                                                      const event_rooms& rooms,
                                                      terrane::world& world, node_id process,
                                                      event_mask traced);
  ~trace_recorder();
  trace_recorder(const trace_recorder&) = delete;
  trace_recorder& operator=(const trace_recorder&) = delete;

  /// Call it after the run: writes what is left. False: the file is not complete, and stderr says
  /// why.
  bool finish();
  /// Any thread may call it, in a process that is about to end: writes what is left, and the
  /// sentence.
  void fail(const char* sentence, int exit_code);

 private:
  trace_recorder(int descriptor, const event_rooms& rooms, terrane::world& world, node_id process,
                 event_mask traced);
  void work();
  std::uint64_t take_all();
  void note_memory();
  void write_out();

  const int descriptor_;
  const event_rooms& rooms_;
  terrane::world& world_;
  const node_id process_;
  trace_encoder encoder_;
  event_ring memory_ring_;  // of this thread's own events
  event_writer memory_;
  std::mutex lock_;
  std::condition_variable over_changed_;
  bool over_ = false;
  int problem_ = 0;  // errno of the first write that failed
  std::string waiting_;
  std::uint64_t written_ns_ = 0;
  std::thread thread_;
};

}  // namespace terrane
