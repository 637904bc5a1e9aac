// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "terrane/base/rare.hpp"

namespace terrane {

namespace {

struct fault_word {
  std::string_view name;
  double fault_options::* rate;
  double most = 1;
};

constexpr std::array<fault_word, 7> table{{
    {"delay", &fault_options::delay},
    {"heavy", &fault_options::heavy},
    {"reorder", &fault_options::reorder},
    {"slow", &fault_options::slow},
    {"pause", &fault_options::pause},
    {"late", &fault_options::late},
    {"rare", &fault_options::rare, rare_rate_max},
}};

constexpr std::uint64_t latency_ns_min = 1000;

/// From 0 up to, but without, 1.
double fraction(random_stream& dice) { return static_cast<double>(dice.next() >> 11) * 0x1p-53; }

result<void> read_fault(std::string_view text, fault_options& into) {
  const std::string_view name = text.substr(0, text.find('='));
  const auto word =
      std::find_if(table.begin(), table.end(), [&](const auto& it) { return it.name == name; });
  if (word == table.end())
    return error{
        fmt::format("takes delay, heavy, reorder, slow, pause, late and rare, each with a rate, as "
                    "in delay=0.1,pause=0.001, or none; not '{}'",
                    text)};
  const std::string digits(text.substr(std::min(text.size(), name.size() + 1)));
  char* end = nullptr;
  const double rate = std::strtod(digits.c_str(), &end);
  if (digits.find_first_not_of("0123456789.e-") != digits.npos || digits.empty() || *end != 0 ||
      !(rate >= 0 && rate <= word->most))
    return error{fmt::format("{} needs a rate from 0 to {}, not '{}'", name, word->most, digits)};
  if (word->rate == &fault_options::rare && rate > 0 && !rare_common)
    return error{
        "rare needs a build that can take rare branches early: configure one with "
        "-DTERRANE_RARE_COMMON=ON"};
  into.*word->rate = rate;
  return {};
}

}  // namespace

result<fault_options> read_faults(std::string_view text) {
  fault_options options;
  if (text == "none") return options;
  for (;;) {
    const std::string_view one = text.substr(0, text.find(','));
    if (auto read = read_fault(one, options); !read) return error{read.problem()};
    if (one.size() == text.size()) return options;
    text.remove_prefix(one.size() + 1);
  }
}

std::string to_text(const fault_options& options) {
  std::string text;
  for (const fault_word& each : table) {
    if (options.*each.rate == 0) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", each.name, options.*each.rate);
  }
  return text.empty() ? "none" : text;
}

fault_plan::fault_plan(const fault_options& options, std::uint32_t nodes, std::uint64_t latency_ns,
                       std::uint64_t seed)
    : options_(options),
      latency_ns_(std::max(latency_ns, latency_ns_min)),
      messages_(seed, 0x6d657373u),
      pauses_(seed, 0x70617573u),
      bugs_(seed, 0x62756773u) {
  random_stream slowness_dice(seed, 0x736c6f77u), lateness(seed, 0x6c617465u);
  nodes_.reserve(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const bool is_slow = happens(options.slow, slowness_dice);
    const auto late_by =
        static_cast<std::uint64_t>(fraction(lateness) * 1000 * static_cast<double>(latency_ns_));
    nodes_.push_back({is_slow, happens(options.late, lateness) ? late_by : 0});
  }
}

bool fault_plan::happens(double rate, random_stream& dice) {
  return rate > 0 && fraction(dice) < rate;
}

std::uint64_t fault_plan::message_delay_ns() {
  const auto latency = static_cast<double>(latency_ns_);
  double late = 0;
  if (happens(options_.delay, messages_)) late += 10 * fraction(messages_) * latency;
  if (happens(options_.reorder, messages_)) late += 2 * fraction(messages_) * latency;
  if (happens(options_.heavy, messages_))
    late += std::min(10'000.0, std::pow(1 - fraction(messages_), -1 / 1.1)) * latency;
  return static_cast<std::uint64_t>(late);
}

std::uint64_t fault_plan::pause_ns() {
  if (!happens(options_.pause, pauses_)) return 0;
  return static_cast<std::uint64_t>(std::pow(1000.0, fraction(pauses_)) *
                                    static_cast<double>(latency_ns_));
}

}  // namespace terrane
