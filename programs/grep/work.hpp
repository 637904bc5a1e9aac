// SPDX-License-Identifier: Apache-2.0
// work.hpp: the arguments of the program grep, in a form that its threads can take along.
//
// Errors  as of programs/arguments.h: one sentence, exit code 2.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <regex>
#include <string>
#include <string_view>

#include "programs/arguments.h"
#include "programs/grep/search.hpp"
#include "terrane/core/place.hpp"

namespace terrane::programs {

enum class grep_policy { steal_search, steal_cascade, round_robin, by_load, locality };
inline constexpr std::array grep_policies{"steal-search", "steal-cascade", "round-robin", "by-load",
                                          "locality"};

/// What a thread takes along.
struct grep_work {
  grep_pattern pattern;
  grep_policy policy = grep_policy::steal_search;
  std::uint32_t remote_us = 0;  // extra time to read a file of another node
  std::uint32_t disks = 1;      // of the nodes 0, 1, ...
  bool tells_lives = false;
  node_id goes_to = ~node_id{0};
  std::uint32_t root_letters = 0;  // of the directory that is searched, in `path`
  char path[1000] = {};
};

/// [-e] [-t] PATTERN DIRECTORY [POLICY] [REMOTE_US] [DISKS]. False: one was wrong.
inline bool read_grep_arguments(int argc, char** argv, grep_work& work) {
  argument_reader given{argc, argv, 0, false, "[-e] [-t] PATTERN DIRECTORY POLICY"};
  const auto next = [&] { return given.read + 1 < argc ? argv[++given.read] : ""; };
  const auto refuse = [&](const std::string& sentence) {
    std::fprintf(refuse_argument(&given), "%s\n", sentence.c_str());
    return false;
  };
  std::string_view pattern = next();
  for (; pattern == "-e" || pattern == "-t"; pattern = next())
    (pattern == "-e" ? work.pattern.regular : work.tells_lives) = true;
  const std::string_view directory = next(), policy = next();
  if (directory.empty())
    return refuse("say what to find, and where: [-e] [-t] PATTERN DIRECTORY [POLICY]");

  if (pattern.empty() || pattern.size() > grep_pattern::bytes_max)
    return refuse(fmt::format("PATTERN must have 1 to {} letters", grep_pattern::bytes_max));
  if (work.pattern.regular) try {
      const std::regex compiles(pattern.begin(), pattern.end(), std::regex::extended);
    } catch (const std::regex_error& why) {
      return refuse(fmt::format("PATTERN is no extended regular expression: {}", why.what()));
    }
  pattern.copy(work.pattern.text, pattern.size());

  struct stat about{};
  if (directory.size() >= sizeof work.path || stat(directory.data(), &about) != 0 ||
      !S_ISDIR(about.st_mode))
    return refuse(fmt::format("'{}' is no directory that can be searched", directory));
  directory.copy(work.path, directory.size());
  work.root_letters = static_cast<std::uint32_t>(directory.size());

  if (!policy.empty()) {
    const auto known = std::find(grep_policies.begin(), grep_policies.end(), policy);
    if (known == grep_policies.end())
      return refuse(
          fmt::format("POLICY must be {}, not '{}'", fmt::join(grep_policies, ", "), policy));
    work.policy = static_cast<grep_policy>(known - grep_policies.begin());
  }
  work.remote_us = static_cast<std::uint32_t>(read_number(&given, "REMOTE_US", 0, 0, 1'000'000));
  work.disks = static_cast<std::uint32_t>(
      read_number(&given, "DISKS", static_cast<int>(terrane_nodes()), 1, 1'000'000));
  return arguments_complete(&given);
}

}  // namespace terrane::programs
