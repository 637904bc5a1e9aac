// SPDX-License-Identifier: Apache-2.0
#include "dashboard/run_figures.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "dashboard/activity.hpp"
#include "dashboard/report_data.hpp"
#include "terrane/trace/format.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

namespace {

using json = nlohmann::json;

void add_statistics(const json& from, run_figures& to) {
  static constexpr const char* facts[] = {"world", "nodes", "processors", "balancer", "seed"};
  for (const char* const name : facts)
    if (from.contains(name))
      to.facts[name] = from[name].is_string() ? from[name].get<std::string>() : from[name].dump();
  for (const auto& [name, value] : from.items()) {
    const bool is_fact = std::find(std::begin(facts), std::end(facts), name) != std::end(facts);
    if (!value.is_number() || is_fact || name == "exit_code") continue;
    to.numbers[{name.ends_with("_seconds") ? "times" : "counts", name}] = value.get<double>();
  }
  const auto processors = from.find("per_processor");
  if (processors == from.end() || !processors->is_array()) return;
  for (const json& each : *processors)
    for (const char* const part : {"run", "balance", "poll", "idle", "switch"})
      if (const auto found = each.find(std::string(part) + "_seconds");
          found != each.end() && found->is_number())
        to.numbers[{"time split", part}] += found->get<double>();
}

void add_trace(const trace_file& file, run_figures& to) {
  const trace_run& run = file.run();
  to.facts = {{"world", run.world},
              {"network", run.network},
              {"balancer", run.balancer},
              {"command", run.command},
              {"options", run.options},
              {"version", run.version},
              {"build", run.build},
              {"host", run.host},
              {"system", run.system},
              {"seed", std::to_string(run.seed)},
              {"nodes", std::to_string(run.nodes)},
              {"processors", std::to_string(run.processors)}};
  const known_events known(file);
  const report_data data = collect(file, known);
  for (const std::string& each : file.ends())
    if (const json end = json::parse(each, nullptr, false);
        end.is_object() && end.contains("statistics") && end["statistics"].is_object())
      add_statistics(end["statistics"], to);
  to.numbers[{"times", "elapsed_seconds"}] = 1e-9 * static_cast<double>(data.end - data.begin);
  for (const char* const part : {"run", "balance", "poll", "idle", "switch"})
    to.numbers.erase({"time split", part});
  for (const lane& each : data.lanes)
    for (std::size_t i = 0; i < share_count; ++i)
      to.numbers[{"time split", share_names[i]}] += each.seconds[i];
  for (const auto& [name, its] : data.fibers) to.numbers[{"functions", name}] = 1e-9 * its.sum_ns;
  if (!data.path.why_not.empty()) return;
  for (std::size_t i = 0; i < path_part_count; ++i)
    to.numbers[{"critical path", path_part_names[i]}] = 1e-9 * static_cast<double>(data.path.ns[i]);
  to.numbers[{"critical path", "span"}] = 1e-9 * static_cast<double>(data.path.span_ns);
}

struct moments {
  double count = 0, mean = 0, deviation = 0, least = 0, most = 0;
};
moments moments_of(const std::vector<double>& values) {
  moments found;
  if (values.empty()) return found;
  const double count = found.count = static_cast<double>(values.size());
  for (const double each : values) found.mean += each / count;
  for (const double each : values)
    found.deviation += (each - found.mean) * (each - found.mean) / std::max(1.0, count - 1);
  found.deviation = std::sqrt(found.deviation);
  found.least = *std::min_element(values.begin(), values.end());
  found.most = *std::max_element(values.begin(), values.end());
  return found;
}

}  // namespace

result<run_figures> figures_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return error{"cannot read '" + path + "': there is no such file"};
  std::string start(trace_magic.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  run_figures found;
  if (start == trace_magic) {
    const auto opened = trace_file::open(path);
    if (!opened) return error{opened.problem()};
    add_trace(*opened.value(), found);
    return found;
  }
  file.clear();
  file.seekg(0);
  bool any = false;
  for (std::string line; std::getline(file, line);) {
    const json object = json::parse(line, nullptr, false);
    if (!object.is_object() || !object.contains("elapsed_seconds")) continue;
    found = {};
    add_statistics(object, found);
    any = true;
  }
  if (any) return found;
  return error{"'" + path + "' is neither a trace nor a file of --stats json"};
}

std::vector<compared> compare(const std::vector<run_figures>& a,
                              const std::vector<run_figures>& b) {
  std::set<std::pair<std::string, std::string>> names;
  for (const auto* runs : {&a, &b})
    for (const run_figures& each : *runs)
      for (const auto& [name, value] : each.numbers) names.insert(name);
  std::vector<compared> all;
  for (const auto& name : names) {
    const auto values = [&](const std::vector<run_figures>& runs) {
      std::vector<double> found;
      for (const run_figures& each : runs)
        if (const auto number = each.numbers.find(name); number != each.numbers.end())
          found.push_back(number->second);
        else if (name.first == "functions")
          found.push_back(0);  // it did not run
      return moments_of(found);
    };
    const moments one = values(a), two = values(b);
    compared& made = all.emplace_back();
    made.group = name.first;
    made.name = name.second;
    made.mean_a = one.mean;
    made.mean_b = two.mean;
    made.spread_a = one.deviation;
    made.spread_b = two.deviation;
    const double error = std::sqrt(one.deviation * one.deviation / std::max(1.0, one.count) +
                                   two.deviation * two.deviation / std::max(1.0, two.count));
    const bool apart = one.most < two.least || two.most < one.least;
    using is = compared::verdict;
    if (one.mean == two.mean)
      made.is = is::same;
    else if (one.count < 2 || two.count < 2)
      made.is = is::not_known;
    else
      made.is =
          apart && std::abs(one.mean - two.mean) > 2 * error ? is::differs : is::within_spread;
  }
  return all;
}

}  // namespace terrane
