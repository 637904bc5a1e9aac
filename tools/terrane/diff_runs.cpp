// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/diff_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>

#include "dashboard/run_figures.hpp"
#include "terrane/base/plural.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

namespace {

constexpr std::size_t functions_most = 10;

std::string number(double value, double spread) {
  return spread > 0 ? fmt::format("{:.6g} ± {:.1g}", value, spread) : fmt::format("{:.6g}", value);
}

const char* word_for(compared::verdict is) {
  switch (is) {
    case compared::verdict::same: return "the same";
    case compared::verdict::within_spread: return "within the spread";
    case compared::verdict::differs: return "differs";
    case compared::verdict::not_known: return "one run each";
  }
  return "";
}

void print(const compared& each) {
  const double change =
      each.mean_a != 0 ? 100 * (each.mean_b - each.mean_a) / std::abs(each.mean_a) : 0;
  const std::string text =
      each.mean_a == 0 || each.mean_a == each.mean_b ? "" : fmt::format("{:+.1f} %", change);
  std::puts(fmt::format("  {:<38} {:>22} {:>22} {:>10}  {}", one_line(each.name),
                        number(each.mean_a, each.spread_a), number(each.mean_b, each.spread_b),
                        text, word_for(each.is))
                .c_str());
}

void print_facts(const std::vector<run_figures>& a, const std::vector<run_figures>& b) {
  std::map<std::string, std::string> all = a.front().facts;
  all.insert(b.front().facts.begin(), b.front().facts.end());
  bool any = false;
  for (const auto& [name, ignored] : all) {
    const auto value = [&](const run_figures& of) {
      const auto found = of.facts.find(name);
      return found == of.facts.end() ? std::string("not known") : found->second;
    };
    const std::string one = value(a.front()), two = value(b.front());
    if (one == two) continue;
    if (!any) std::puts("what the runs were:");
    any = true;
    std::puts(fmt::format("  {}: {} | {}", name, one_line(one), one_line(two)).c_str());
  }
  if (!any) std::puts("the runs had the same options");
}

}  // namespace

int diff_runs(const words& left, const words& right) {
  std::vector<run_figures> a, b;
  for (const auto& [names, runs] : {std::pair(&left, &a), std::pair(&right, &b)})
    for (const std::string& each : *names) {
      const auto read = figures_of(each);
      if (!read) return refuse("diff: " + read.problem());
      runs->push_back(read.value());
    }
  print_facts(a, b);
  std::vector<compared> all = compare(a, b);
  // Of functions those that changed most; of everything else, all.
  const auto is_function = [](const compared& each) { return each.group == "functions"; };
  std::vector<compared> functions;
  std::copy_if(all.begin(), all.end(), std::back_inserter(functions), is_function);
  std::erase_if(all, is_function);
  std::sort(functions.begin(), functions.end(), [](const compared& one, const compared& two) {
    return std::abs(one.mean_b - one.mean_a) > std::abs(two.mean_b - two.mean_a);
  });
  functions.resize(std::min(functions.size(), functions_most));
  all.insert(all.end(), functions.begin(), functions.end());
  std::string group;
  std::size_t differ = 0;
  for (const compared& each : all) {
    if (each.group != group)
      std::puts((each.group + (each.group == "functions" ? ": seconds in "
                                                           "fibers, those that changed most"
                                                         : ""))
                    .c_str());
    group = each.group;
    differ += each.is == compared::verdict::differs;
    print(each);
  }
  if (a.size() < 2 || b.size() < 2) {
    std::puts("how much runs differ anyway is not known: name several, as in A1 A2 -- B1 B2");
    return 0;
  }
  std::puts(fmt::format("{} of {} differ by more than the runs of one side do", differ,
                        plural(all.size(), "figure"))
                .c_str());
  return differ == 0 ? 0 : 1;
}

}  // namespace terrane
