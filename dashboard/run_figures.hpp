// SPDX-License-Identifier: Apache-2.0
// run_figures.hpp: a run as names and numbers, from its trace or from its statistics as JSON, so
// that runs can be compared.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

struct run_figures {
  /// What the run was: options, versions, the machine.
  std::map<std::string, std::string> facts;
  /// By group ("times", "counts", "time split", "critical path", "functions") and name, in seconds
  /// or as counts.
  std::map<std::pair<std::string, std::string>, double> numbers;
};

/// path: a trace, or a file with the object of --stats json (its last line that is one).
result<run_figures> figures_of(const std::string& path);

/// One figure in two groups of runs.
struct compared {
  std::string group, name;
  double mean_a = 0, mean_b = 0, spread_a = 0, spread_b = 0;  // spread: standard deviation
  enum class verdict { same, within_spread, differs, not_known } is = verdict::same;
};
/// All figures that some run has, by group and name. not_known: fewer than two runs of a group have
/// it, so nobody knows how much runs differ anyway. differs: the ranges of both groups are apart,
/// and their means differ by more than twice the standard error of that difference (Welch 1947).
std::vector<compared> compare(const std::vector<run_figures>& a, const std::vector<run_figures>& b);

}  // namespace terrane
