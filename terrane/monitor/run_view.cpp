// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/run_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "terrane/base/openmetrics.hpp"

namespace terrane {

void run_view::add(const std::string& text) {
  run_view both = *this;
  try {
    both.add_state(text);
  } catch (const nlohmann::ordered_json::exception&) {
    return;  // a process of another version, perhaps
  }
  *this = std::move(both);
}

void run_view::add_state(const std::string& text) {
  const nlohmann::ordered_json state = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!state.is_object() || !state.contains("processors") || !state.contains("loads") ||
      !state.contains("profile"))
    return;
  words = state.value("words", "");
  world = state.value("world", "");
  const double now = state.value("seconds", 0.0);
  seconds = std::max(seconds, now);
  for (const nlohmann::ordered_json& each : state["processors"]) {
    node_view_row& row = nodes[each.value("node", 0u)];
    const bool idle = each.value("idle", false);
    ++row.processors;
    row.busy += !idle;
    row.tokens += each.value("tokens", std::uint64_t{0});
    row.queued += each.value("queued", std::uint64_t{0});
    row.ran += each.value("ran", 0.0);
    row.balanced += each.value("balanced", 0.0);
    row.polled += each.value("polled", 0.0);
    row.rested += each.value("rested", 0.0);
    // What it did at its last look at the clock, it still does.
    if (const double since = 1e9 * now - each.value("until", 0.0); since > 0)
      (idle ? row.rested : row.ran) += since;
  }
  for (const nlohmann::ordered_json& each : state["loads"])
    for (const auto& [name, value] : each.items()) {
      const auto node = each.value("node", 0u);
      if (name == "sent_to") {
        for (const nlohmann::ordered_json& one : value)
          messages[{node, one.at(0).get<std::uint32_t>()}] += one.at(1).get<std::uint64_t>();
      } else if (name != "node") {
        nodes[node].loads[name] = value.get<double>();
      }
    }
  for (const nlohmann::ordered_json& each : state["profile"].at("lengths")) {
    auto& counts = lengths[each.value("what", "")];
    const auto more = each.at("counts").get<std::vector<std::uint64_t>>();
    counts.resize(std::max(counts.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
  }
}

run_view run_view::of(const std::string& words, const run_statistics& from) {
  run_view view;
  view.words = words;
  view.world = from.world;
  view.seconds = from.elapsed_seconds;
  for (const processor_statistics& each : from.per_processor) {
    node_view_row& row = view.nodes[each.node];
    ++row.processors;
    row.tokens += each.tokens_generated;
    row.ran += 1e9 * each.run_seconds + static_cast<double>(each.split.switching);
    row.balanced += static_cast<double>(each.split.balance);
    row.polled += static_cast<double>(each.split.poll);
    row.rested += static_cast<double>(each.split.idle);
  }
  for (const node_load& each : from.loads) {
    for (const auto& [name, mean] : each.means) view.nodes[each.node].loads[name] = mean;
    for (const auto& [other, sent] : each.sent_to) view.messages[{each.node, other}] += sent;
  }
  for (const auto& [what, its] : from.profile.lengths) view.lengths[what] = its.counts;
  return view;
}

std::string to_openmetrics(const run_view& view) {
  using openmetrics::head_of;
  using openmetrics::label_text;
  std::string text = head_of("terrane_run", "info", "The run.");
  text += fmt::format("terrane_run_info{{command=\"{}\",world=\"{}\"}} 1\n", label_text(view.words),
                      label_text(view.world));
  text += head_of("terrane_elapsed_seconds", "gauge", "Since the run began, by its clock.");
  text += fmt::format("terrane_elapsed_seconds {:.9f}\n", view.seconds);
  text += head_of("terrane_tokens", "counter", "Tokens made on a node.");
  for (const auto& [node, row] : view.nodes)
    text += fmt::format("terrane_tokens_total{{node=\"{}\"}} {}\n", node, row.tokens);
  text += head_of("terrane_spent_seconds", "counter", "Time of a node's processors.");
  for (const auto& [node, row] : view.nodes)
    for (const auto& [in, ns] : {std::pair("run", row.ran), std::pair("balance", row.balanced),
                                 std::pair("poll", row.polled), std::pair("idle", row.rested)})
      text += fmt::format("terrane_spent_seconds_total{{node=\"{}\",in=\"{}\"}} {:.9f}\n", node, in,
                          1e-9 * ns);
  text += head_of("terrane_queued_tokens", "gauge", "Tokens in stacks of a node's processors.");
  for (const auto& [node, row] : view.nodes)
    text += fmt::format("terrane_queued_tokens{{node=\"{}\"}} {}\n", node, row.queued);
  text += head_of("terrane_busy_processors", "gauge", "Processors that are not idle.");
  for (const auto& [node, row] : view.nodes)
    text += fmt::format("terrane_busy_processors{{node=\"{}\"}} {}\n", node, row.busy);
  text += head_of("terrane_load", "gauge", "A load metric of a node.");
  for (const auto& [node, row] : view.nodes)
    for (const auto& [name, value] : row.loads)
      text += fmt::format("terrane_load{{node=\"{}\",metric=\"{}\"}} {:.9g}\n", node,
                          label_text(name), value);
  text += head_of("terrane_messages", "counter", "Messages and tokens between nodes (rem-comm).");
  for (const auto& [pair, count] : view.messages)
    text += fmt::format("terrane_messages_total{{from=\"{}\",to=\"{}\"}} {}\n", pair.first,
                        pair.second, count);
  return text.append(openmetrics::end);
}

std::string to_json(const run_view& view) {
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array(),
                         lengths = nlohmann::ordered_json::array();
  for (const auto& [node, row] : view.nodes) {
    nlohmann::ordered_json one = {{"node", node},
                                  {"processors", row.processors},
                                  {"busy", row.busy},
                                  {"tokens", row.tokens},
                                  {"queued", row.queued},
                                  {"run", row.ran},
                                  {"balance", row.balanced},
                                  {"poll", row.polled},
                                  {"idle", row.rested}};
    one["loads"] = row.loads;
    nodes.push_back(std::move(one));
  }
  for (const auto& [what, counts] : view.lengths)
    lengths.push_back({{"what", what}, {"counts", counts}});
  const nlohmann::ordered_json whole = {{"words", view.words},
                                        {"world", view.world},
                                        {"seconds", view.seconds},
                                        {"nodes", std::move(nodes)},
                                        {"lengths", std::move(lengths)}};
  return whole.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace terrane
