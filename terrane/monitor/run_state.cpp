// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/run_state.hpp"

#include <nlohmann/json.hpp>

#include "terrane/monitor/profile_summary.hpp"

namespace terrane {

namespace {

using json = nlohmann::ordered_json;

json state_of(const processor& each) {
  const run_profile& profile = each.profile();
  std::uint64_t ran = 0, balanced = 0, polled = 0, rested = 0;
  for (std::uint32_t i = 0; i < run_profile::bins; ++i) {
    ran += profile.bin(i).run.get();
    balanced += profile.bin(i).balance.get();
    polled += profile.bin(i).poll.get();
    rested += profile.bin(i).idle.get();
  }
  const auto published = each.published();
  return {{"processor", each.number},
          {"node", each.home().number()},
          {"idle", published.idle},
          {"tokens", published.tokens},
          {"queued", each.queued_hint()},
          {"ran", ran},
          {"balanced", balanced},
          {"polled", polled},
          {"rested", rested},
          {"until", profile.until()}};
}

json loads_of(node& each) {
  const load_meter& meter = each.meter();
  json one = {{"node", each.number()}};
  for (const metric what : {metric::n_threads, metric::rq_length, metric::cpu_time})
    if (const auto value = meter.value(what)) one[name_of(what)] = *value;
  json sent = json::array();
  for (node_id other = 0; meter.measures(metric::rem_comm) && other < meter.nodes(); ++other)
    if (const std::uint64_t count = meter.sent_in_all(other); count != 0)
      sent.push_back({other, count});
  if (!sent.empty()) one["sent_to"] = std::move(sent);
  return one;
}

}  // namespace

std::string run_state(const std::string& words, const std::string& world, int process,
                      double seconds, std::span<processor* const> processors,
                      std::span<const std::unique_ptr<node>> nodes) {
  json list = json::array(), loads = json::array();
  const bool simulated = seconds == 0;  // the virtual clock is for its own thread
  for (const auto& each : nodes)
    if (!simulated) loads.push_back(loads_of(*each));
  for (const processor* each : processors) list.push_back(state_of(*each));
  const json whole = {{"words", words},
                      {"world", world},
                      {"pid", process},
                      {"seconds", seconds},
                      {"processors", std::move(list)},
                      {"loads", std::move(loads)},
                      {"profile", json::parse(to_json(summarise(processors, nodes)))}};
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace terrane
