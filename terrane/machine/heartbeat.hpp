// SPDX-License-Identifier: Apache-2.0
// heartbeat.hpp: a node process shows that it is alive, whatever its processors do, and stays
// within its memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "terrane/transport/shm_job.hpp"

namespace terrane {

/// Beats from construction to destruction, on a thread of its own. A process that uses more than
/// its memory says so and ends with exit_node_lost.
class heartbeat {
 public:
  static constexpr int interval_ms = 250;

  /// bytes_max: resident; 0: no limit.
  heartbeat(job_node& mine, node_id number, std::uint64_t bytes_max);
  ~heartbeat();

 private:
  void beat();

  job_node& mine_;
  const node_id number_;
  const std::uint64_t bytes_max_;
  std::mutex lock_;
  std::condition_variable over_changed_;
  bool over_ = false;  // under lock_
  std::thread thread_;
};

}  // namespace terrane
