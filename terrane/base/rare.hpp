// SPDX-License-Identifier: Apache-2.0
// rare.hpp: names for branches that are seldom taken, so that tests can take them often.
//
//   if (TERRANE_RARE("core.nothing_to_take", !pool_.take_oldest(token))) return false;
//
// Purpose     In a build with TERRANE_RARE_COMMON a random draw (`--faults rare=RATE`) takes the
//             branch as if its condition held, and counts how often: its probe. In other builds the
//             macro is its condition and nothing else.
// Rule        Use it only where taking the branch early is always allowed. The draw comes first;
//             if it takes the branch, the condition is not evaluated.
// Names       "WHERE.WHAT": where is `core`, or the world that the branch belongs to.
// Invariants  The dice belong to one thread. In a thread without dice the condition alone decides
//             and nothing is counted. At a rate of 0 nothing is drawn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/random.hpp"

#ifdef TERRANE_RARE_COMMON
#define TERRANE_RARE(name, condition)                         \
  (::terrane::rare_branch<name>::comes_early() || (condition) \
       ? ::terrane::rare_branch<name>::reached()              \
       : false)
#else
#define TERRANE_RARE(name, condition) (condition)
#endif

namespace terrane {

#ifdef TERRANE_RARE_COMMON
inline constexpr bool rare_common = true;
#else
inline constexpr bool rare_common = false;
#endif

/// The highest rate that `--faults rare=` accepts: if every steal failed, a run would not end.
inline constexpr double rare_rate_max = 0.9;

/// How often a rare branch was taken.
struct rare_probe {
  std::string name;
  std::uint64_t count;
};

/// Every branch of this program, in the order in which they were met before main.
inline std::vector<std::string_view>& rare_branches() {
  static std::vector<std::string_view> all;
  return all;
}

/// The dice and the probes of one thread.
class rare_dice {
 public:
  explicit rare_dice(double rate = 0, std::uint64_t seed = 0, std::uint64_t number = 0)
      : rate_(rate),
        stream_(seed, 0x7261726500000000u + number),
        counts_(rare_common ? rare_branches().size() : 0) {}

  bool fall() { return rate_ > 0 && static_cast<double>(stream_.next() >> 11) * 0x1p-53 < rate_; }
  void count(std::size_t branch) { ++counts_[branch]; }
  void add_to(std::vector<std::uint64_t>& sums) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) sums[i] += counts_[i];
  }

 private:
  double rate_;
  random_stream stream_;
  std::vector<std::uint64_t> counts_;
};

/// The dice of this thread; null if it has none.
inline thread_local rare_dice* rare_dice_here = nullptr;

/// The probes of core and of `world`, summed over the dice of all threads, by name. Empty in a
/// build without TERRANE_RARE_COMMON.
inline std::vector<rare_probe> rare_probes(std::string_view world,
                                           std::span<const rare_dice* const> of_threads) {
  std::vector<rare_probe> probes;
  if (!rare_common) return probes;
  std::vector<std::uint64_t> sums(rare_branches().size());
  for (const rare_dice* each : of_threads) each->add_to(sums);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::string_view name = rare_branches()[i], place = name.substr(0, name.find('.'));
    if (place == "core" || place == world) probes.push_back({std::string(name), sums[i]});
  }
  std::sort(probes.begin(), probes.end(),
            [](const auto& one, const auto& other) { return one.name < other.name; });
  return probes;
}

/// A name as a template argument.
template <std::size_t Size>
struct rare_name {
  consteval rare_name(const char (&name)[Size]) { std::copy_n(name, Size, text); }
  char text[Size];
};

template <rare_name Name>
class rare_branch {
 public:
  static bool comes_early() { return rare_dice_here && rare_dice_here->fall(); }
  static bool reached() {
    if (rare_dice_here) rare_dice_here->count(number_);
    return true;
  }

 private:
  static std::size_t enlist() {
    rare_branches().push_back(Name.text);
    return rare_branches().size() - 1;
  }
  static inline const std::size_t number_ = enlist();  // before main
};

}  // namespace terrane
