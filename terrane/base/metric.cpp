// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/metric.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace terrane {

namespace {

/// `20ms`, `1s`, `500us`; a number alone is seconds.
bool read_duration(std::string_view text, std::int64_t& ns) {
  static constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"s", 1e9}};
  double scale = 1e9;
  for (const auto& [unit, its] : units)
    if (text.ends_with(unit)) {
      scale = its;
      text.remove_suffix(unit.size());
      break;
    }
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
  if (!(value * scale >= 1 && value * scale <= 1e15)) return false;
  ns = static_cast<std::int64_t>(value * scale);
  return true;
}

result<void> read_detail(std::string_view text, metric_choice& into) {
  const auto equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(std::min(equals + 1, text.size()));
  const bool changes = into.what == metric::n_threads || into.what == metric::rq_length;
  if (name == "sample" && changes && read_duration(value, into.sample_ns)) return {};
  if (name == "period" && !changes && read_duration(value, into.period_ns)) return {};
  if (name == "window" && into.what == metric::cpu_time) {
    const auto read = std::from_chars(value.data(), value.data() + value.size(), into.window);
    if (read.ec == std::errc() && read.ptr == value.data() + value.size() && into.window > 0 &&
        into.window <= 1'000'000)
      return {};
  }
  return error{std::string("there is nothing '").append(text) + "' for " + name_of(into.what) +
               ": n-threads and rq-length take sample=1s, cpu-time window=10 and period=20ms, "
               "rem-comm period=20ms"};
}

std::string_view take_word(std::string_view& text, char end) {
  const auto at = std::min(text.find(end), text.size());
  const std::string_view word = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return word;
}

}  // namespace

result<std::vector<metric_choice>> read_metrics(std::string_view text) {
  std::vector<metric_choice> choices;
  while (!text.empty()) {
    std::string_view one = take_word(text, ',');
    const std::string_view name = take_word(one, ':');
    const auto* const known = std::find(std::begin(metric_names), std::end(metric_names), name);
    if (known == std::end(metric_names))
      return error{std::string("there is no metric '").append(name) +
                   "': there are n-threads, rq-length, cpu-time and rem-comm"};
    metric_choice choice{static_cast<metric>(known - std::begin(metric_names))};
    while (!one.empty())
      if (auto read = read_detail(take_word(one, ':'), choice); !read) return error{read.problem()};
    choices.push_back(choice);
  }
  if (choices.empty()) return error{"names of metrics are needed, such as n-threads,cpu-time"};
  return choices;
}

}  // namespace terrane
