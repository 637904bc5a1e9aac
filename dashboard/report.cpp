// SPDX-License-Identifier: Apache-2.0
// report.cpp: writes the page, with the report's numbers in it as one JSON object.
#include "dashboard/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dashboard/clock_text.hpp"
#include "dashboard/report_data.hpp"
#include "dashboard/run_ends.hpp"

namespace terrane {

namespace {

constexpr std::string_view page =
#include "report_page.inc"
    ;
constexpr std::string_view data_mark = "/*the data of the run*/";

/// Numbers of names, in the order of their first use.
class name_list {
 public:
  std::int64_t number_of(const trace_name* name) {
    if (!name) return -1;
    const auto [known, is_new] =
        numbers_.try_emplace(name->name, static_cast<std::int64_t>(numbers_.size()));
    if (is_new) {
      if (!list_.empty()) list_ += ',';
      list_ += json_text(name->name);
    }
    return known->second;
  }
  const std::string& list() const { return list_; }

 private:
  std::map<std::string, std::int64_t> numbers_;
  std::string list_;
};

template <class Values, class Text>
std::string list_of(const Values& values, Text&& text) {
  std::string all = "[";
  for (const auto& each : values) {
    if (all.size() > 1) all += ',';
    all += text(each);
  }
  return all + ']';
}

std::string run_json(const trace_file& file, const std::string& name) {
  const trace_run& run = file.run();
  std::string how = "it was cut off";
  for (const run_end& each : ends_of(file))
    if (each.sentence || each.has_statistics) how = each.sentence.value_or("to its end");
  const auto pair = [](const char* what, const std::string& value) {
    return fmt::format("[{},{}]", json_text(what), json_text(value));
  };
  std::string clocks;
  for (const std::string& each : describe_clocks(file)) clocks += ',' + pair("Clocks", each);
  return fmt::format(
      "\"file\":{},\"command\":{},\"dropped\":{},\"problems\":{},\"nodes\":{},\"processors\":{},"
      "\"facts\":[{},{},{},{},{},{},{},{},{}{}]",
      json_text(name), json_text(run.command), file.dropped(),
      list_of(file.problems(), [](const std::string& each) { return json_text(each); }), run.nodes,
      run.processors, pair("Run", run.id), pair("Program", run.program), pair("Build", run.build),
      pair("Machine", fmt::format("{} × {} processors, world {}{}", run.nodes, run.processors,
                                  run.world, run.simulated ? ", network " + run.network : "")),
      pair("Balancer, seed", fmt::format("{}, {}", run.balancer, run.seed)),
      pair("Options", run.options),
      pair("Host", fmt::format("{}, {} cores, {}", run.host, run.cores, run.system)),
      pair("Started", run.started), pair("It ran", how), clocks);
}

std::string lanes_json(const report_data& data, name_list& names) {
  return list_of(data.lanes, [&](const lane& each) {
    std::string text = fmt::format(
        "{{\"p\":{},\"node\":{},\"seconds\":{},\"left_out\":{},\"bins\":", each.processor,
        each.node, list_of(each.seconds, [](double s) { return fmt::format("{:.9f}", s); }),
        each.left_out);
    text += list_of(each.bins, [](const std::array<float, share_count>& bin) {
      return list_of(bin, [](float part) {
        return std::to_string(std::clamp(static_cast<int>(std::lround(part * 1000)), 0, 1000));
      });
    });
    text += ",\"slices\":[";
    bool first = true;
    for (const slice& it : each.slices) {
      text += fmt::format("{}{},{},{},{},{}", first ? "" : ",", it.begin - data.begin,
                          it.end - it.begin, static_cast<int>(it.kind), it.depth,
                          names.number_of(it.name));
      first = false;
    }
    return text + "]}";
  });
}

std::string histogram_json(const std::string& title, const histogram& of) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < of.counts.size(); ++i)
    if (of.counts[i] != 0) last = i;
  return fmt::format(
      "{{\"title\":{},\"count\":{},\"sum\":{:.0f},\"median\":{:.0f},\"p99\":{:.0f},\"bins\":{}}}",
      json_text(title), of.count, of.sum_ns, of.quantile(0.5), of.quantile(0.99),
      list_of(std::vector<std::uint64_t>(of.counts.begin(),
                                         of.counts.begin() + static_cast<std::ptrdiff_t>(last) + 1),
              [](std::uint64_t n) { return std::to_string(n); }));
}

std::string histograms_json(const report_data& data) {
  constexpr std::size_t functions_most = 12;
  std::vector<std::pair<std::string, const histogram*>> by_time;
  for (const auto& [name, its] : data.fibers) by_time.emplace_back(name, &its);
  std::sort(by_time.begin(), by_time.end(),
            [](const auto& a, const auto& b) { return a.second->sum_ns > b.second->sum_ns; });
  if (by_time.size() > functions_most) by_time.resize(functions_most);
  std::string text = '[' + histogram_json("idle intervals", data.idle_lengths) + ',' +
                     histogram_json("messages, from sending to taking", data.message_times) + ',' +
                     histogram_json("tokens, from node to node", data.token_times);
  for (const auto& [name, its] : by_time) text += ',' + histogram_json("fibers of " + name, *its);
  return text + ']';
}

std::string flows_json(const trace_file& file, const report_data& data, name_list& names) {
  // Moves and tokens first: they are fewer, and matter more.
  std::vector<const flow*> shown;
  for (const flow_kind kind : {flow_kind::move, flow_kind::token, flow_kind::message})
    for (const flow& each : data.moved.all)
      if (each.kind == kind && shown.size() < report_data::flows_most) shown.push_back(&each);
  std::string text = "[";
  for (const flow* each : shown) {
    const trace_source &from = file.sources()[each->from], &to = file.sources()[each->to];
    const auto processor = [&](const trace_source& at) {
      return at.is == trace_source::kind::processor ? at.number : at.node * file.run().processors;
    };
    text += fmt::format("{}{},{},{},{},{},{},{}", text.size() > 1 ? "," : "",
                        static_cast<int>(each->kind), processor(from), processor(to),
                        each->left - data.begin, each->arrived - each->left, each->bytes,
                        names.number_of(each->name));
  }
  return text + ']';
}

/// What balancers decided, evenly thinned out if it is much.
std::string decisions_json(const trace_file& file, const known_events& known,
                           const report_data& data) {
  const auto is_one = [&](const trace_event& event) {
    return is_of_note(event, known) || event.type == known.token_given ||
           event.type == known.tokens_robbed || event.type == known.note_sent;
  };
  std::uint64_t count = 0;
  trace_file::in_time counted(file);
  for (trace_event event; counted.next(event);) count += is_one(event);
  const std::uint64_t step = count / report_data::decisions_most + 1;
  std::string text = "[";
  std::uint64_t number = 0;
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    if (!is_one(event) || number++ % step != 0) continue;
    text += fmt::format("{}[{},{},{},{}]", text.size() > 1 ? "," : "", event.ns - data.begin,
                        file.sources()[event.source].node, json_text(file.types()[event.type].name),
                        json_text(file.sentence_of(event)));
  }
  return fmt::format("{}],\"decisions_of\":{}", text, count);
}

std::string idle_json(const report_data& data) {
  const auto seconds = [](const idle_causes::by_cause& each) {
    return list_of(each, [](double s) { return fmt::format("{:.9f}", s); });
  };
  return fmt::format("{{\"causes\":{},\"all\":{},\"nodes\":{},\"longest\":{}}}",
                     list_of(idle_cause_names, [](const char* each) { return json_text(each); }),
                     seconds(data.idle.all), list_of(data.idle.nodes, seconds),
                     list_of(data.idle.longest, [&](const idle_stretch& each) {
                       return fmt::format("[{},{},{},{}]", each.begin - data.begin,
                                          each.end - data.begin, each.node,
                                          static_cast<int>(each.cause));
                     }));
}

/// The whole sums; of the steps the longest, in order of time.
std::string path_json(const report_data& data, name_list& names) {
  constexpr std::size_t steps_most = 2000;
  std::vector<path_step> steps = data.path.steps;
  if (steps.size() > steps_most) {
    std::nth_element(
        steps.begin(), steps.begin() + steps_most, steps.end(),
        [](const path_step& a, const path_step& b) { return a.end - a.begin > b.end - b.begin; });
    steps.resize(steps_most);
    std::sort(steps.begin(), steps.end(),
              [](const path_step& a, const path_step& b) { return a.begin < b.begin; });
  }
  std::map<std::string, std::int64_t> by_name;
  for (const path_step& each : data.path.steps)
    if (each.part == path_part::program && each.name)
      by_name[each.name->name] += each.end - each.begin;
  return fmt::format(
      "{{\"why_not\":{},\"parts\":{},\"ns\":{},\"span\":{},\"work\":{},\"of\":{},\"steps\":{},"
      "\"functions\":{}}}",
      json_text(data.path.why_not),
      list_of(path_part_names, [](const char* each) { return json_text(each); }),
      list_of(data.path.ns, [](std::int64_t ns) { return std::to_string(ns); }), data.path.span_ns,
      data.path.work_ns, data.path.steps.size(),
      list_of(steps,
              [&](const path_step& each) {
                return fmt::format("[{},{},{},{},{}]", each.begin - data.begin,
                                   each.end - each.begin, static_cast<int>(each.part), each.source,
                                   names.number_of(each.name));
              }),
      list_of(by_name, [](const auto& each) {
        return fmt::format("[{},{}]", json_text(each.first), each.second);
      }));
}

std::string levels_json(const report_data& data) {
  return list_of(data.levels, [](const level_bins& each) {
    return fmt::format("{{\"title\":{},\"rows\":{}}}", json_text(each.title),
                       list_of(each.nodes, [](const std::vector<double>& row) {
                         return list_of(row, [](double v) { return fmt::format("{:.4g}", v); });
                       }));
  });
}

}  // namespace

result<void> write_report(const trace_file& file, const std::string& name, const text_sink& to) {
  const known_events known(file);
  const report_data data = collect(file, known);
  name_list names;
  std::string json =
      fmt::format("{{{},\"begin\":{},\"end\":{},\"bin\":{},\"shares\":{},\"kinds\":{},\"lanes\":",
                  run_json(file, name), data.begin, data.end, data.bin_ns(),
                  list_of(share_names, [](const char* each) { return json_text(each); }),
                  list_of(slice_names, [](const char* each) { return json_text(each); }));
  json += lanes_json(data, names) + ",\"flows\":" + flows_json(file, data, names);
  json += ",\"decisions\":" + decisions_json(file, known, data);
  json += ",\"path\":" + path_json(data, names) + ",\"levels\":" + levels_json(data);
  json += ",\"idle\":" + idle_json(data) + ",\"histograms\":" + histograms_json(data);
  json += ",\"traffic\":" + list_of(data.traffic, [](const traffic_of_pair& each) {
            const auto number = [](std::uint64_t n) { return std::to_string(n); };
            return fmt::format("[{},{},{},{}]", each.from, each.to, list_of(each.messages, number),
                               list_of(each.bytes, number));
          });
  json += ",\"findings\":" + list_of(data.findings, [](const finding& each) {
            return fmt::format("[{},{}]", json_text(each.says), json_text(each.cure));
          });
  json += ",\"notes\":" +
          list_of(data.moved.problems, [](const std::string& each) { return json_text(each); });
  json += ",\"names\":[" + names.list() + "]}";
  const auto at = page.find(data_mark);
  if (to(page.substr(0, at)) && to(json) && to(page.substr(at + data_mark.size()))) return {};
  return could_not_write();
}

}  // namespace terrane
