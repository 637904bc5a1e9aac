// SPDX-License-Identifier: Apache-2.0
// machine.hpp: the composition root: builds everything that one run uses, runs it once, and reports
// on it.
#pragma once

#include <sys/types.h>

#include <cstdio>
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
#include "terrane/machine/trace_recorder.hpp"
#include "terrane/monitor/event_rooms.hpp"
#include "terrane/monitor/statistics.hpp"

namespace terrane {

/// How a run ended.
struct run_outcome {
  int exit_code = 0;
  bool deadlock = false;
  run_statistics statistics;
  live_frames left;               // activations that were still live
  std::uint64_t tokens_left = 0;  // tokens that had not run
  bool output_arrived = true;     // the nodes' output and the event log; if false, stderr says why
};

class machine final : private run_control {
 public:
  /// Makes all nodes, processors and arenas, but no thread yet. options.processors must be set.
  /// An error: there is no such world, or its nodes are processes of their own.
  static result<std::unique_ptr<machine>> make(const run_options& options, const placement& placed);
  /// The same for a world that exists already; makes only the nodes that the world holds.
  static result<std::unique_ptr<machine>> make(const run_options& options,
                                               std::unique_ptr<terrane::world> world);
  ~machine() override;

  /// Runs `root` on processor 0 to the end of the program. May be called once. args: points to
  /// root.args_bytes bytes.
  run_outcome run(const terrane_function& root, const void* args);

  /// The state of the run, for a progress display.
  struct glance {
    double seconds = 0;
    std::uint64_t tokens = 0;
    int busy = 0;  // busy processors
  };
  /// Any thread may call it while run() is under way.
  glance look();
  /// What each processor does and did, as JSON (monitor/run_state.hpp). Any thread, at any time of
  /// the run. words: the run's title.
  std::string state_text(const std::string& words);
  /// The last events, a line each. Any thread.
  std::string last_events();
  /// The threads and what they wait for, a line each; an error's sentence for a simulated run.
  /// Any thread. over: the run is about to end.
  result<std::string> threads_text(const atomic<bool>& over);
  /// From now on events of the first classes are traced, and those of the second are not. False:
  /// the run has no trace. Any thread.
  bool choose_events(event_mask on, event_mask off);
  /// Makes every processor heed, also a sleeping one. Any thread may call it.
  void interrupt();

 private:
  machine(const run_options& options, std::unique_ptr<terrane::world> world);
  result<void> build(const balancer_factory& policy, const rope_balancer_factory& of_ropes);
  result<void> build_recorder();
  result<void> build_balance_log();
  run_statistics statistics() const;

  // run_control
  void root_ended(processor& here) override;
  void quiet(processor& here) override;
  void told_to_stop(processor& here) override;
  void set_exit_code(int code) override { exit_code_ = code; }
  [[noreturn]] void failed(const char* sentence, int exit_code) override;
  void stop_all(processor& here);
  static constexpr std::uint32_t told_by_one = 128;
  /// Elsewhere a lost node would leave those below it untold.
  bool tells_by_tree() const {
    return processors() > told_by_one + 1 && world_->crew.is_simulated();
  }
  std::uint32_t processors() const {
    return static_cast<std::uint32_t>(options_.nodes * options_.processors);
  }

  const run_options options_;
  const pid_t process_;  // the process that made this machine
  const std::unique_ptr<terrane::world> world_;
  struct closes_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, closes_file> balance_log_;
  const std::unique_ptr<flight_recorder> own_last_;  // null: the launcher sees it
  flight_recorder& last_;
  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<node*> node_list_;         // by number; null: in another process
  std::unique_ptr<reservation> arenas_;  // of the processors, one after the other; null: a world's
  std::vector<processor::owner> owners_;
  std::vector<processor*> processors_;
  std::unique_ptr<event_rooms> rooms_;
  atomic<event_mask> chosen_{0};              // what is traced now
  std::unique_ptr<trace_recorder> recorder_;  // null: the run is not traced
  // processor 0 writes; read after the threads have ended
  int exit_code_ = 0;
  bool deadlock_ = false;
  std::uint64_t end_ns_ = 0;
};

}  // namespace terrane
