// SPDX-License-Identifier: Apache-2.0
// load_meter.hpp: a node's load while it runs, by the metrics that its policy or the user asks for.
//
// Purpose     Each processor, and the policy, counts in a cell of its own what its probes see
//             anyway (load_cell.hpp); whoever wants the node's number adds up the cells. Nothing is
//             counted, and no class of events is on, unless somebody asked before the run.
// Periods     All cells of a node share their periods. A value of a period or sample is known when
//             it is over. Under `sim` a turn is one step, so what it counted may belong to a time
//             that the clock has yet to reach; it is not read before.
// Source      [TESTBED §4.1.3].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "terrane/base/metric.hpp"
#include "terrane/core/event_writer.hpp"
#include "terrane/core/load_cell.hpp"

namespace terrane {

class processor;

class load_meter {
 public:
  load_meter(node_id node, std::uint32_t nodes) : node_(node), nodes_(nodes) {}

  /// Before the run: the node measures that from now on. What was asked for first stays as it is.
  /// processors: all of the node. policy: the writer of its policy's events.
  void begin(const metric_choice& what, std::span<processor* const> processors,
             event_writer& policy);

  /// Any thread.
  bool measures(metric what) const {
    return (on_.load(memory_order_acquire) >> static_cast<int>(what) & 1) != 0;
  }
  std::optional<metric_choice> choice(metric what) const {
    return choices_[static_cast<int>(what)];
  }

  std::uint32_t nodes() const { return nodes_; }

  // any thread

  /// n-threads and rq-length: the number now, or the mean of the last whole sample. cpu-time: the
  /// share, from 0 to 1, in the last whole periods of its window. Nothing: it is not measured, or
  /// no sample or period is over, or it is rem-comm.
  std::optional<double> value(metric what) const;
  /// Messages and tokens that went from this node to the other in the last whole period.
  std::optional<std::uint64_t> sent_to(node_id other) const;
  /// Since the run began: the mean of the number, or the share.
  std::optional<double> mean(metric what) const;
  /// Messages and tokens that went to that node since the run began. Only if it measures rem-comm.
  std::uint64_t sent_in_all(node_id other) const;

 private:
  metered_level& level_of(load_cell& cell, metric what) const;
  std::uint64_t ticks_now() const;
  std::uint64_t ticks_of(std::int64_t ns) const;

  const node_id node_;
  const std::uint32_t nodes_;
  std::optional<metric_choice> choices_[4];
  atomic<std::uint32_t> on_{0};  // bits by metric, set when all else is ready: others may look then
  std::vector<std::unique_ptr<load_cell>> cells_;  // of the processors, then of the policy
  std::uint32_t processors_ = 0;
  crew* clock_ = nullptr;  // of a simulated machine
  double ticks_per_ns_ = 1;
  std::uint64_t began_ = 0;  // ticks
};

}  // namespace terrane
