// SPDX-License-Identifier: Apache-2.0
// mpi_line.hpp: a rank of an MPI job as a node of a run.
//
// Purpose     The MPI has started the processes and knows who they are; it also ends them when one
//             of them fails. So the line has only to tell the ranks what they must know of each
//             other, and to keep the node's share until the ranks gather them
//             (machine/mpi_job.hpp).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/result.hpp"
#include "terrane/transport/moving_stacks.hpp"
#include "terrane/transport/mpi/mpi_table.h"
#include "terrane/transport/wired_line.hpp"

namespace terrane {

class mpi_line final : public wired_line {
 public:
  /// To be called by all ranks. mine: what this rank knows of itself; its place in memory is added.
  /// An error: the ranks run different programs.
  static result<std::unique_ptr<mpi_line>> join(const terrane_mpi_table& mpi,
                                                terrane_carrier_handle communicator,
                                                node_facts mine,
                                                std::unique_ptr<moving_stacks> stacks);

  node_id number() const override { return number_; }
  std::uint32_t nodes() const override { return static_cast<std::uint32_t>(facts_.size()); }
  const std::vector<node_facts>& facts() override { return facts_; }
  /// What is sent to a rank that has not begun waits there.
  void await_begin() override {}
  /// The network's last batches say so.
  void finish() override {}
  void report(node_id about, const std::string& how) override;
  void fail(int exit_code) override { mpi_.abort(exit_code); }
  bool is_lost(node_id) const override { return false; }
  std::uint64_t beats() const override { return beats_.load(memory_order_relaxed); }
  void on_loss(std::function<void(node_id)>) override {}
  std::span<char> stacks_of(processor_id p) const override { return stacks_->of(p); }

  // roster_line
  void enter(node_phase) override {}
  void beat() override { beats_.fetch_add(1, memory_order_relaxed); }
  bool is_watched() const override { return false; }
  void show(std::uint64_t, int) override {}
  bool any_lost() const override { return false; }
  bool hand_in(const std::string&) override { return true; }

 private:
  mpi_line(const terrane_mpi_table& mpi, node_id number, std::vector<node_facts> facts,
           std::unique_ptr<moving_stacks> stacks);

  const terrane_mpi_table& mpi_;
  const node_id number_;
  const std::vector<node_facts> facts_;
  const std::unique_ptr<moving_stacks> stacks_;
  atomic<std::uint64_t> beats_{0};  // any thread
};

}  // namespace terrane
