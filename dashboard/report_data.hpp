// SPDX-License-Identifier: Apache-2.0
// report_data.hpp: the numbers behind the report: where time went, slices for the timeline,
// histograms, traffic, findings.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dashboard/activity.hpp"
#include "dashboard/critical_path.hpp"
#include "dashboard/idle_causes.hpp"
#include "dashboard/level_bins.hpp"

namespace terrane {

/// Where a processor's time goes: each moment is in exactly one.
enum class share : std::uint8_t { run, balance, poll, idle, other };
inline constexpr std::size_t share_count = 5;
inline constexpr const char* share_names[] = {"run", "balance", "poll", "idle", "other"};

/// Counts of lengths, by powers of two of nanoseconds.
struct histogram {
  std::array<std::uint64_t, 44> counts{};
  std::uint64_t count = 0;
  double sum_ns = 0;
  void add(std::uint64_t ns);
  /// About the value below which that part of them lies.
  double quantile(double part) const;
};

struct lane {
  std::uint32_t source = 0, node = 0, processor = 0;
  std::array<double, share_count> seconds{};
  std::vector<std::array<float, share_count>> bins;  // parts of each bin's time
  std::vector<slice> slices;                         // those that the page shows singly
  std::uint64_t left_out = 0;                        // slices that are only parts of bins
};

struct traffic_of_pair {
  std::uint32_t from = 0, to = 0;
  std::vector<std::uint64_t> messages, bytes;  // by bin
};

struct finding {
  std::string says, cure;
};

struct report_data {
  static constexpr std::size_t bins = 240, traffic_bins = 48, slices_most = 60'000,
                               flows_most = 8'000, decisions_most = 3'000;
  std::int64_t begin = 0, end = 0;
  std::vector<lane> lanes;
  std::map<std::string, histogram> fibers;  // by name
  histogram all_fibers, idle_lengths, message_times, token_times;
  flows moved;
  std::vector<traffic_of_pair> traffic;
  idle_causes idle;
  critical_path path;
  std::vector<level_bins> levels;
  std::vector<finding> findings;

  std::int64_t bin_ns() const {
    return std::max<std::int64_t>(1, (end - begin + bins - 1) / static_cast<std::int64_t>(bins));
  }
};

report_data collect(const trace_file& file, const known_events& known);

}  // namespace terrane
