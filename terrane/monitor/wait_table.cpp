// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/wait_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

#include "terrane/base/clock.hpp"
#include "terrane/base/plural.hpp"

namespace terrane {

namespace {

constexpr std::size_t printed_max = 16;

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void wait_table::add(wait_row row) {
  waited_ns += row.waited_ns;
  hidden_ns += row.hidden_ns;
  rows.push_back(std::move(row));
}

/// Rows that differ in nothing but their numbers are one: a thread that moves waits on several
/// processors.
void wait_table::keep_longest() {
  const auto names = [](const wait_row& one) { return std::tie(one.who, one.whom, one.where); };
  std::sort(rows.begin(), rows.end(),
            [&](const wait_row& one, const wait_row& two) { return names(one) < names(two); });
  std::vector<wait_row> merged;
  for (wait_row& each : rows) {
    if (merged.empty() || names(merged.back()) != names(each)) {
      merged.push_back(std::move(each));
      continue;
    }
    merged.back().times += each.times;
    merged.back().waited_ns += each.waited_ns;
    merged.back().hidden_ns += each.hidden_ns;
  }
  rows = std::move(merged);
  std::sort(rows.begin(), rows.end(), [&](const wait_row& one, const wait_row& two) {
    if (one.waited_ns != two.waited_ns) return one.waited_ns > two.waited_ns;
    return names(one) < names(two);
  });
  if (rows.size() > rows_max) rows.resize(rows_max);
}

void wait_table::add(const wait_table& other) {
  is_noted |= other.is_noted;
  waited_ns += other.waited_ns;
  hidden_ns += other.hidden_ns;
  rows.insert(rows.end(), other.rows.begin(), other.rows.end());
  keep_longest();
}

std::string to_text(const wait_table& table) {
  std::string text =
      fmt::format("terrane: threads waited for threads {:.6f} s in all; other work hid {:.1f}%\n",
                  in_seconds(table.waited_ns), percent(table.hidden_ns, table.waited_ns));
  if (table.rows.empty()) return text;
  const auto out = std::back_inserter(text);
  const std::size_t shown = std::min(table.rows.size(), printed_max);
  std::size_t widest = 3;
  for (std::size_t i = 0; i < shown; ++i) widest = std::max(widest, table.rows[i].who.size());
  fmt::format_to(out, "{:>12} {:>7} {:>9}  {:<{}}  for\n", "waited", "hidden", "times", "who",
                 widest);
  for (std::size_t i = 0; i < shown; ++i) {
    const wait_row& each = table.rows[i];
    fmt::format_to(out, "{:>10.6f} s {:>6.1f}% {:>9}  {:<{}}  {} ({})\n",
                   in_seconds(each.waited_ns), percent(each.hidden_ns, each.waited_ns), each.times,
                   each.who, widest, each.whom, each.where);
  }
  if (table.rows.size() == wait_table::rows_max)
    text += "  and more: these are the longest\n";
  else if (table.rows.size() > shown)
    fmt::format_to(out, "  and {}\n", plural(table.rows.size() - shown, "shorter one"));
  return text;
}

std::string to_json(const wait_table& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const wait_row& each : table.rows)
    rows.push_back({{"who", each.who},
                    {"whom", each.whom},
                    {"where", each.where},
                    {"times", each.times},
                    {"seconds", in_seconds(each.waited_ns)},
                    {"hidden_seconds", in_seconds(each.hidden_ns)}});
  return rows.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace terrane
