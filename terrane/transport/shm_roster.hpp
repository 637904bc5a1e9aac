// SPDX-License-Identifier: Apache-2.0
// shm_roster.hpp: the roster of world shm; it uses words of the job's memory, and a pipe per share.
#pragma once

#include <string>

#include "terrane/transport/roster.hpp"
#include "terrane/transport/share_pipes.hpp"
#include "terrane/transport/shm_job.hpp"

namespace terrane {

class shm_roster final : public roster {
 public:
  /// The job must outlive this object.
  explicit shm_roster(const shm_job& job) : job_(job), shares_(job.head().nodes) {}

  std::uint32_t nodes() const override { return job_.head().nodes; }
  std::uint64_t began_ns() const override {
    return job_.head().start_ns.load(memory_order_seq_cst);
  }
  life_signs signs_of(node_id n) const override;
  bool is_watched() const override { return job_.head().watched; }
  void lose(node_id n) override;
  result<int> open_share(node_id n) override { return shares_.open(n); }
  void leave_to_node() override { shares_.close_all(); }
  void add_waits(std::vector<pollfd>& to) const override { shares_.add_waits(to); }
  void look() override { shares_.look(); }
  const std::string& share_of(node_id n) const override { return shares_.share_of(n); }
  bool may_say_more(node_id n) const override { return shares_.is_open(n); }

 private:
  const shm_job& job_;
  share_pipes shares_;
};

class shm_roster_line final : public roster_line {
 public:
  /// share: the write end of the pipe that open_share() made. The job must outlive this object.
  shm_roster_line(const shm_job& job, node_id mine, int share)
      : job_(job), mine_(job.node(mine)), share_(share) {}

  void enter(node_phase phase) override { mine_.phase.store(phase, memory_order_relaxed); }
  void beat() override { mine_.beats.fetch_add(1, memory_order_relaxed); }
  bool is_watched() const override { return job_.head().watched; }
  void show(std::uint64_t tokens, int busy) override;
  bool any_lost() const override { return job_.head().any_lost.load(memory_order_relaxed); }
  bool hand_in(const std::string& share) override;

 private:
  const shm_job& job_;
  job_node& mine_;
  const int share_;
};

}  // namespace terrane
