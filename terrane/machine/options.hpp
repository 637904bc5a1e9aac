// SPDX-License-Identifier: Apache-2.0
// options.hpp: what a run can be told, and how: on the command line or in TERRANE_OPTIONS.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/pinning.hpp"

namespace terrane {

enum class statistics_form { none, text, json };

struct run_options {
  int nodes = 1;
  int processors = 0;  // per node; 0: what the CPU budget gives, shared out among the nodes
  std::string world = "local";
  std::string balancer = "rand";
  std::uint64_t seed = 1;
  statistics_form statistics = statistics_form::none;
  std::string statistics_file;  // json only; empty: the last line of stderr
  int enough = -1;              // below 0: the balancer's choice
  pinning_option pinning = pinning_option::automatic;
  std::uint64_t frame_memory_mib = 4096;  // per processor
  bool quiet = false;                     // no progress, no line about processors
};

/// Options and where they end.
struct parsed_options {
  run_options options;
  std::vector<std::string> rest;  // from the first word that is none of ours
  std::string help;               // not empty: asked for help; this is the text
};

/// Reads options from the head of `words`; the first that is not an option ends them. A wrong one
/// is a sentence. usage: the first line of the help.
result<parsed_options> parse_options(const std::vector<std::string>& words,
                                     const run_options& defaults, const std::string& usage);

/// Splits TERRANE_OPTIONS at blanks.
std::vector<std::string> split_words(const std::string& text);

inline constexpr const char* options_variable = "TERRANE_OPTIONS";

/// nodes * processors may not exceed this in one process.
inline constexpr int local_processors_max = 1024;

}  // namespace terrane
