// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/scheduler_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "terrane/machine/options.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

namespace {

constexpr std::size_t listed_max = processors_max;
constexpr std::size_t digits_max = 9;

bool read_digits(std::string_view text, int& into) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
  return !text.empty() && text.size() <= digits_max && text[0] != '-' && read.ec == std::errc() &&
         read.ptr == text.data() + text.size();
}

error wrong_list(std::string_view text, std::string_view why) {
  return {fmt::format("'{}' is no list of hosts: {}", one_line(text), why)};
}

/// The texts that one pair of brackets stands for: "01-03,7" is 01, 02, 03, 7.
result<std::vector<std::string>> parse_numbers(std::string_view text, std::string_view whole) {
  std::vector<std::string> all;
  for (bool more = true; more;) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view range = text.substr(0, end);
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == range.npos ? low : range.substr(dash + 1);
    int first = 0, last = 0;
    if (!read_digits(low, first) || !read_digits(high, last) || first > last)
      return wrong_list(whole, fmt::format("'{}' is no range", one_line(range)));
    if (static_cast<std::size_t>(last - first) >= listed_max - all.size())
      return wrong_list(whole, fmt::format("it has more than {} hosts", listed_max));
    for (int i = first; i <= last; ++i) all.push_back(fmt::format("{:0{}}", i, low.size()));
    more = end < text.size();
    if (more) text.remove_prefix(end + 1);
  }
  return all;
}

/// Adds the names that one entry of the list stands for.
result<void> add_names(std::string_view entry, std::string_view whole,
                       std::vector<std::string>& to) {
  std::vector<std::string> names{""};
  while (!entry.empty()) {
    const std::size_t open = std::min(entry.find('['), entry.size());
    for (std::string& name : names) name += entry.substr(0, open);
    entry.remove_prefix(open);
    if (entry.empty()) break;
    const std::size_t close = entry.find(']');
    if (close == entry.npos) return wrong_list(whole, "a [ has no ]");
    const auto numbers = parse_numbers(entry.substr(1, close - 1), whole);
    if (!numbers) return error{numbers.problem()};
    if (names.size() * numbers.value().size() > listed_max)
      return wrong_list(whole, fmt::format("it has more than {} hosts", listed_max));
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : numbers.value()) longer.push_back(name + number);
    names = std::move(longer);
    entry.remove_prefix(close + 1);
  }
  to.insert(to.end(), names.begin(), names.end());
  if (to.size() > listed_max)
    return wrong_list(whole, fmt::format("it has more than {} hosts", listed_max));
  return {};
}

result<std::vector<host>> slurm_hosts(const char* list, const char* counts) {
  const auto names = parse_slurm_hosts(list);
  if (!names) return error{fmt::format("SLURM_JOB_NODELIST: {}", names.problem())};
  std::vector<int> slots;
  if (counts && *counts) {
    auto read = parse_slurm_counts(counts);
    if (!read) return error{fmt::format("SLURM_TASKS_PER_NODE: {}", read.problem())};
    slots = std::move(read).value();
    if (slots.size() != names.value().size())
      return error{
          fmt::format("SLURM_TASKS_PER_NODE has {} counts and SLURM_JOB_NODELIST {} "
                      "hosts: say --hosts",
                      slots.size(), names.value().size())};
  }
  std::string text;
  for (std::size_t i = 0; i < names.value().size(); ++i)
    text += fmt::format("{}{}{}", i == 0 ? "" : ",", names.value()[i],
                        slots.empty() ? "" : fmt::format(":{}", slots[i]));
  auto hosts = parse_hosts(text);
  if (!hosts) return error{fmt::format("SLURM_JOB_NODELIST: {}", hosts.problem())};
  return hosts;
}

}  // namespace

result<std::vector<std::string>> parse_slurm_hosts(std::string_view text) {
  std::vector<std::string> names;
  const std::string_view whole = text;
  for (bool more = true; more;) {
    // The comma that ends the entry stands outside brackets.
    int depth = 0;
    std::size_t end = 0;
    for (; end < text.size() && (depth > 0 || text[end] != ','); ++end) {
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
      if (depth < 0 || depth > 1) return wrong_list(whole, "its brackets do not match");
    }
    if (end == 0) return wrong_list(whole, "a name is missing");
    if (auto added = add_names(text.substr(0, end), whole, names); !added)
      return error{added.problem()};
    more = end < text.size();
    if (more) text.remove_prefix(end + 1);
  }
  return names;
}

result<std::vector<int>> parse_slurm_counts(std::string_view text) {
  std::vector<int> all;
  const std::string_view whole = text;
  const auto wrong = [&] {
    return error{fmt::format("'{}' is no list of counts such as 2(x3),1", one_line(whole))};
  };
  for (bool more = true; more;) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string_view one = text.substr(0, end);
    int times = 1, count = 0;
    if (const std::size_t mark = one.find("(x"); mark != one.npos) {
      if (!one.ends_with(')') || !read_digits(one.substr(mark + 2, one.size() - mark - 3), times) ||
          times < 1)
        return wrong();
      one = one.substr(0, mark);
    }
    if (!read_digits(one, count) || count < 1) return wrong();
    if (static_cast<std::size_t>(times) > listed_max - all.size()) return wrong();
    all.insert(all.end(), static_cast<std::size_t>(times), count);
    more = end < text.size();
    if (more) text.remove_prefix(end + 1);
  }
  return all;
}

result<std::optional<scheduler_hosts>> find_scheduler_hosts(const environment_reader& variable) {
  const auto value = [&](const char* name) {
    const char* const given = variable(name);
    return given && *given ? given : nullptr;
  };
  const char* list = value("SLURM_JOB_NODELIST");
  if (!list && value("SLURM_JOB_ID")) list = value("SLURM_NODELIST");  // its older name
  if (list) {
    auto hosts = slurm_hosts(list, value("SLURM_TASKS_PER_NODE"));
    if (!hosts) return error{hosts.problem()};
    return std::optional(scheduler_hosts{"Slurm", std::move(hosts).value()});
  }
  if (const char* const file = value("PBS_NODEFILE")) {
    auto hosts = read_hostfile(file);
    if (!hosts) return error{fmt::format("PBS_NODEFILE: {}", hosts.problem())};
    for (host& each : hosts.value()) each.slots = std::max(1, each.slots);  // a line is a slot
    return std::optional(scheduler_hosts{"PBS", std::move(hosts).value()});
  }
  return std::optional<scheduler_hosts>();
}

}  // namespace terrane
