// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/load_meter.hpp"

#include <algorithm>

#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t kept_beside_window = 64;     // periods
constexpr std::uint32_t words_for_peers = 1u << 20;  // of one cell

/// The classes in which the events are that a metric is counted from. Of tokens, those that the
/// policy writes: no probe of a spawn is switched on.
event_mask classes_for(metric what, bool policy) {
  switch (what) {
    case metric::n_threads: return bit_of(event_class::thread);
    case metric::rq_length: return bit_of(event_class::ready);
    case metric::cpu_time: return bit_of(event_class::fiber) | bit_of(event_class::time);
    case metric::rem_comm:
      return policy ? bit_of(event_class::token) : bit_of(event_class::message);
  }
  return 0;
}

}  // namespace

metered_level& load_meter::level_of(load_cell& cell, metric what) const {
  return what == metric::n_threads   ? cell.threads
         : what == metric::rq_length ? cell.ready
                                     : cell.program;
}

void load_meter::begin(const metric_choice& what, std::span<processor* const> processors,
                       event_writer& policy) {
  auto& chosen = choices_[static_cast<int>(what.what)];
  if (chosen || processors.empty()) return;
  chosen = what;
  const processor& any = *processors.front();
  if (cells_.empty()) {
    processors_ = static_cast<std::uint32_t>(processors.size());
    clock_ = any.is_simulated() ? &any.world().crew : nullptr;
    ticks_per_ns_ = clock_ ? 1 : ticks_per_ns();
    began_ = ticks_now();
    for (std::uint32_t i = 0; i <= processors_; ++i) {
      load_cell& made = *cells_.emplace_back(std::make_unique<load_cell>());
      made.ticks_per_ns = ticks_per_ns_;
      made.processors_per_node = processors_;
      made.node = node_;
      for (metered_level* each : {&made.threads, &made.ready, &made.program}) each->begin(began_);
    }
  }
  const bool looks = what.what == metric::rem_comm || what.sample_ns != 0;
  for (std::uint32_t i = 0; i <= processors_; ++i) {
    load_cell& cell = *cells_[i];
    if (what.what == metric::rem_comm) {
      const std::uint32_t fitting = words_for_peers / (nodes_ + 1);
      cell.sent.begin(ticks_of(what.period_ns), std::clamp(fitting, 4u, kept_beside_window),
                      nodes_);
    } else if (what.what == metric::cpu_time) {
      cell.program.sums().begin(ticks_of(what.period_ns), what.window + kept_beside_window);
    } else if (what.sample_ns != 0) {
      level_of(cell, what.what).sums().begin(ticks_of(what.sample_ns), kept_beside_window);
    }
    const event_mask classes = classes_for(what.what, i == processors_);
    if (i < processors_)
      processors[i]->measure_in(cell, classes, looks);
    else
      policy.measure_in(cell, classes, looks);
  }
  on_.store(on_.load(memory_order_relaxed) | 1u << static_cast<int>(what.what),
            memory_order_release);
}

std::uint64_t load_meter::ticks_now() const { return clock_ ? clock_->now() : read_ticks(); }

std::uint64_t load_meter::ticks_of(std::int64_t ns) const {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(static_cast<double>(ns) * ticks_per_ns_));
}

std::optional<double> load_meter::value(metric what) const {
  if (!measures(what) || what == metric::rem_comm) return {};
  const std::span cells(cells_.data(), processors_);
  const metric_choice how = *choice(what);
  if (what != metric::cpu_time && how.sample_ns == 0) {
    std::int64_t sum = 0;
    for (const auto& each : cells) sum += level_of(*each, what).value();
    return static_cast<double>(sum);
  }
  const std::uint64_t now = ticks_now();
  const period_sums& sums = level_of(*cells.front(), what).sums();
  const std::uint64_t end = sums.period_of(now), begun = sums.period_of(began_);
  const std::uint64_t window = what == metric::cpu_time ? how.window : 1;
  const std::uint64_t first = std::max(begun, end - std::min(end, window));
  if (first >= end) return {};
  std::int64_t sum = 0;
  for (const auto& each : cells) sum += level_of(*each, what).held(first, end, now);
  const std::uint64_t since = std::max(began_, first * sums.width());
  const auto ticks = static_cast<double>(end * sums.width() - since);
  const double mean = static_cast<double>(sum) / std::max(1.0, ticks);
  return what == metric::cpu_time ? std::clamp(mean / processors_, 0.0, 1.0) : mean;
}

std::optional<std::uint64_t> load_meter::sent_to(node_id other) const {
  if (!measures(metric::rem_comm) || other >= nodes_) return {};
  const period_sums& any = cells_.front()->sent;
  const std::uint64_t period = any.period_of(ticks_now());
  if (period <= any.period_of(began_)) return {};
  std::int64_t sum = 0;
  for (const auto& each : cells_) sum += each->sent.of(period - 1, other);
  return static_cast<std::uint64_t>(sum);
}

std::optional<double> load_meter::mean(metric what) const {
  if (!measures(what) || what == metric::rem_comm) return {};
  const std::uint64_t now = ticks_now();
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < processors_; ++i) sum += level_of(*cells_[i], what).total(now);
  const double mean = static_cast<double>(sum) / static_cast<double>(now - std::min(now, began_));
  return what == metric::cpu_time ? std::clamp(mean / processors_, 0.0, 1.0) : mean;
}

std::uint64_t load_meter::sent_in_all(node_id other) const {
  std::int64_t sum = 0;
  for (const auto& each : cells_) sum += each->sent.total(other);
  return static_cast<std::uint64_t>(sum);
}

}  // namespace terrane
