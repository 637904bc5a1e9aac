// SPDX-License-Identifier: Apache-2.0
// profile_summary.hpp: the profiles of a process's processors (core/run_profile.hpp), by node, as
// numbers that travel to the launcher, and as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace terrane {

class node;
class processor;

struct node_profile {
  std::uint32_t node = 0;
  std::uint64_t bin_ns = 0;
  // run, balance, poll, idle in nanoseconds of all processors; tokens and ready fibers, and looks;
  // tokens that came and left
  std::vector<std::array<std::uint64_t, 8>> bins;
};

struct summed_counts {
  std::vector<std::uint64_t> counts;  // by powers of two of nanoseconds, as far as there are any
  std::uint64_t sum_ns = 0;
  void add(const summed_counts& other);
};

struct profile_summary {
  std::vector<node_profile> nodes;
  std::map<std::string, summed_counts> lengths;  // by what took so long
  void add(const profile_summary& other);
};

/// Any thread may call it, also while the processors run.
profile_summary summarise(std::span<processor* const> processors,
                          std::span<const std::unique_ptr<node>> nodes);

/// A JSON object. Machines of more than 64 nodes have one row for all.
std::string to_json(const profile_summary&);

}  // namespace terrane
