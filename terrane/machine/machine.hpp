// SPDX-License-Identifier: Apache-2.0
// machine.hpp: the composition root: everything one run uses, put together, run once, and reported
// on.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "terrane/balance/table.hpp"
#include "terrane/base/result.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/world.hpp"
#include "terrane/machine/live_frames.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/machine/placement.hpp"
#include "terrane/monitor/flight_recorder.hpp"
#include "terrane/monitor/statistics.hpp"

namespace terrane {

/// How a run ended.
struct run_outcome {
  int exit_code = 0;
  bool deadlock = false;
  run_statistics statistics;
  live_frames left;               // activations that still lived
  std::uint64_t tokens_left = 0;  // and tokens that had not run
  bool output_arrived = true;     // what nodes printed, and the event log; or it was said why not
};

class machine final : private run_control {
 public:
  /// Every node, processor and its arena; no thread yet. options.processors must be set.
  /// An error: no such world, or one with a process for each node.
  static result<std::unique_ptr<machine>> make(const run_options& options, const placement& placed);
  /// The same in a world that is there already; of the nodes, those that it holds.
  static result<std::unique_ptr<machine>> make(const run_options& options,
                                               std::unique_ptr<terrane::world> world);
  ~machine() override;

  /// Runs `root` on processor 0 to the end of the program. Once. args: root->args_bytes.
  run_outcome run(const terrane_function& root, const void* args);

  /// For whoever watches, on any thread, while run() is under way.
  struct glance {
    double seconds = 0;
    std::uint64_t tokens = 0;
    int busy = 0;  // processors
  };
  glance look();
  /// Every processor heeds, a sleeping one too. Any thread.
  void interrupt();

 private:
  machine(const run_options& options, std::unique_ptr<terrane::world> world);
  result<void> build(const balancer_factory& policy);
  run_statistics statistics() const;

  // run_control
  void root_ended(processor& here) override;
  void quiet(processor& here) override;
  void set_exit_code(int code) override { exit_code_ = code; }
  [[noreturn]] void failed(const char* sentence, int exit_code) override;
  void stop_all(processor& here);
  std::uint32_t processors() const {
    return static_cast<std::uint32_t>(options_.nodes * options_.processors);
  }

  const run_options options_;
  const pid_t process_;  // that made it
  flight_recorder recorder_;
  const std::unique_ptr<terrane::world> world_;
  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<node*> node_list_;  // by number; null: in another process
  std::vector<processor::owner> owners_;
  std::vector<processor*> processors_;
  // processor 0 writes, read after the threads have ended
  int exit_code_ = 0;
  bool deadlock_ = false;
  std::uint64_t end_ns_ = 0;
};

}  // namespace terrane
