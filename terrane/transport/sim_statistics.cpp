// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/sim_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "terrane/base/plural.hpp"

namespace terrane {

namespace {

/// The pairs of nodes with the most messages, as in `0 to 1: 120 (3480 bytes)`.
std::string busiest(std::vector<pair_traffic> pairs) {
  constexpr std::size_t named = 3;
  const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(std::min(named, pairs.size()));
  std::partial_sort(pairs.begin(), end, pairs.end(), [](const auto& one, const auto& other) {
    return std::tie(other.messages, one.from, one.to) <
           std::tie(one.messages, other.from, other.to);
  });
  std::string text;
  for (auto each = pairs.begin(); each != end; ++each)
    text += fmt::format("{}{} to {}: {} ({})", text.empty() ? "" : "; ", each->from, each->to,
                        each->messages, plural(each->bytes, "byte"));
  return text;
}

std::string list_of(const std::vector<pair_traffic>& pairs) {
  std::string list;
  for (const pair_traffic& each : pairs)
    list += fmt::format(R"({}{{"from":{},"to":{},"messages":{},"bytes":{}}})",
                        list.empty() ? "" : ",", each.from, each.to, each.messages, each.bytes);
  return '[' + list + ']';
}

}  // namespace

std::string sim_statistics::to_text() const {
  std::string text = fmt::format(
      "terrane: simulated: {}, {} between nodes, {} overflows, log hash {:016x}{}\n",
      plural(events, "event"), plural(network_messages, "message"), overflows, event_log_hash,
      repeatable ? "" : " (not repeatable: some work was not declared)");
  if (!pairs.empty())
    text += fmt::format("terrane: {} of nodes, the busiest {}\n", plural(pairs.size(), "pair"),
                        busiest(pairs));
  return text;
}

std::string sim_statistics::to_json(double elapsed_seconds) const {
  return fmt::format(
      R"({{"virtual_seconds":{:.9f},"events":{},"event_log_hash":"{:016x}","repeatable":{},)"
      R"("network_messages":{},"network_bytes":{},"overflows":{},)"
      R"("interface_peak":{},"interface_overflows":{},"pairs":{}}})",
      elapsed_seconds, events, event_log_hash, repeatable, network_messages, network_bytes,
      overflows, interface_peak, interface_overflows, list_of(pairs));
}

}  // namespace terrane
