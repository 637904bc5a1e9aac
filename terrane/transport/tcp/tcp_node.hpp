// SPDX-License-Identifier: Apache-2.0
// tcp_node.hpp: a node's process as a member of its run: its line to the launcher.
//
// Purpose     Gets from the launcher who the other nodes are and when the run begins; reports
//             beats, progress and the share; learns which nodes are lost.
// Threads     One thread reads the line. It ends the process, with one sentence, when the launcher
//             is gone or has been silent for three heartbeats. All others may call what is public.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/result.hpp"
#include "terrane/transport/moving_stacks.hpp"
#include "terrane/transport/tcp/control.hpp"
#include "terrane/transport/wired_line.hpp"

namespace terrane {

/// What a process has to know to become a node.
struct tcp_invitation {
  node_id node = 0;
  std::uint32_t nodes = 1;
  address launcher;
  std::string host;              // this host's name, for people
  std::string build;             // of the executable
  std::uint32_t processors = 1;  // of the whole machine
  std::uint64_t heartbeat_ms = 1000;
  bool secured = false;        // --tls
  bool watched = false;        // the launcher shows the run's progress
  bool guards_agreed = false;  // its processors' stacks have the run's guard word
};

class tcp_node final : public wired_line {
 public:
  /// Joins the run: listens for the other nodes, and calls the launcher.
  static result<std::unique_ptr<tcp_node>> join(const tcp_invitation& invitation,
                                                const job_secret& secret);
  /// Leaves when all nodes have finished.
  ~tcp_node();

  const identity& who() const { return who_; }
  /// Where the nodes' listeners are, by number. To be called after facts().
  const std::vector<address>& places() const { return places_; }
  admissions& admitted() { return admitted_; }
  /// From now on, every 10 s, and at the end, the node asks the launcher what time it is, some
  /// times in a row. told(asked, answer, came): by monotonic_ns. To be called once.
  void compare_clocks(std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)> told);
  /// Where the others call; the caller takes it over.
  descriptor take_listener() { return std::move(listener_); }

  // wired_line
  node_id number() const override { return invitation_.node; }
  std::uint32_t nodes() const override { return invitation_.nodes; }
  const std::vector<node_facts>& facts() override;
  void await_begin() override;
  void finish() override;
  /// Waits for the end of this process, unless that node is lost.
  void report(node_id about, const std::string& how) override;
  bool is_lost(node_id which) const override { return lost_[which].load(memory_order_acquire); }
  std::uint64_t beats() const override { return beats_.load(memory_order_relaxed); }
  /// The reading thread tells.
  void on_loss(std::function<void(node_id)> told) override;
  std::span<char> stacks_of(processor_id p) const override { return stacks_->of(p); }
  // roster_line
  void enter(node_phase phase) override;
  void beat() override;
  bool is_watched() const override { return invitation_.watched; }
  void show(std::uint64_t tokens, int busy) override;
  bool any_lost() const override { return any_lost_.load(memory_order_acquire); }
  bool hand_in(const std::string& share) override;

 private:
  tcp_node(const tcp_invitation& invitation, const job_secret& secret, node_facts facts,
           descriptor listener, std::unique_ptr<moving_stacks> stacks);
  result<void> call_launcher();
  void read_line();
  void take_frames();
  void say_beat();
  void ask_time();
  void take_time(const clock_record& answer);
  void compare_at_end();
  bool take(const frame_head& head, const unsigned char* data);
  bool take_members(const frame_head& head, const unsigned char* data);
  [[noreturn]] void end_without_launcher(const std::string& why) const;
  template <class Condition>
  void wait_until(Condition&& reached);

  const tcp_invitation invitation_;
  const identity who_;
  admissions admitted_;
  descriptor listener_;
  const std::unique_ptr<moving_stacks> stacks_;
  std::mutex lock_;
  std::condition_variable changed_;
  // under lock_
  std::unique_ptr<control_link> line_;
  std::vector<node_facts> facts_;
  std::vector<address> places_;
  bool begun_ = false, left_ = false, finished_ = false;
  std::function<void(node_id)> told_;
  std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)> clock_told_;
  int clock_left_ = 0;                // answers that the burst still waits for
  std::uint64_t clock_again_ns_ = 0;  // when the next burst begins
  // any thread writes, any reads
  atomic<std::uint64_t> beats_{0}, tokens_{0};
  atomic<std::uint32_t> phase_{0};
  atomic<int> busy_{0};
  // the reading thread writes with release, so that who sees a loss also sees all before it
  std::unique_ptr<atomic<bool>[]> lost_;
  atomic<bool> any_lost_{false};
  atomic<bool> over_{false};
  descriptor wakes_reader_;
  std::thread reader_;
};

}  // namespace terrane
