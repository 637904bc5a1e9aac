// SPDX-License-Identifier: Apache-2.0
#include "dashboard/recorded_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "dashboard/graph_data.hpp"
#include "dashboard/graph_events.hpp"
#include "dashboard/sound_graph.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t slot_bits = 0x3ff0000;
constexpr std::uint64_t frame_bytes_max = 1u << 20;

std::uint64_t frame_of_slot(std::uint64_t slot) { return slot & ~slot_bits; }
std::uint64_t place_of_slot(std::uint64_t slot) { return (slot & slot_bits) >> 16; }

class graph_reader {
 public:
  explicit graph_reader(const trace_file& file)
      : file_(file), known_(file), lanes_(file.sources().size()) {
    graph_.operations.push_back({"measured_ns", 1000});
  }

  result<recorded_graph> run() {
    trace_file::in_time events(file_);
    for (trace_event event; events.next(event);)
      if (event.type >= known_.token && event.type <= known_.unclear) take(event);
    if (began_ == 0)
      return error{
          "the trace has no graph, that is who made and signalled what: record it with "
          "--events graph"};
    if (!unclear_.empty()) return error{refusal()};
    if (graph_.root == no_number || graph_.activations[graph_.root].first_fiber == no_number)
      return error{
          "the trace does not have the graph from its start on: record the whole run with "
          "--events graph"};
    finish();
    return std::move(graph_);
  }

 private:
  struct lane {
    std::uint32_t fiber = no_number, activation = no_number;
    std::int64_t counted = 0;  // until when the fiber's time has been told
    std::uint64_t frame = 0;
    // signals that the fiber's own activation got meanwhile: the slot, after how many actions
    std::vector<std::pair<std::uint64_t, std::size_t>> got{};
  };
  struct open_slot {
    std::uint32_t number = 0;  // in its activation
    std::uint32_t signals = 0;
  };
  using pair_of_numbers = std::pair<std::uint64_t, std::uint64_t>;

  std::string refusal() const {
    const std::string& what = *unclear_.begin();
    if (unclear_.contains("tokens that ran at once"))
      return "the trace has tokens that ran at once, and not what each of them did: record it with "
             "--enough all";
    return fmt::format("the program used {}, which a replay cannot repeat", what);
  }

  void take(const trace_event& event) {
    lane& its = lanes_[event.source];
    const auto is = [&](std::uint32_t type) { return event.type == type; };
    if (is(known_.began)) {
      begin_activation(event);
    } else if (is(known_.fiber)) {
      begin_fiber(event);
    } else if (is(known_.ended)) {
      pass_time(its, event.ns);
      if (its.fiber != no_number) end_fiber(its, event.values[0]);
      its = {};
    } else if (is(known_.came)) {
      came(event);
    } else if (is(known_.got)) {
      ++slot_at(event.values[1], event.values[0]).signals;
      if (its.fiber != no_number && its.frame == event.values[1])
        its.got.emplace_back(event.values[0], graph_.fibers[its.fiber].actions.size());
    } else if (is(known_.fired)) {
      fired(event);
    } else if (is(known_.unclear)) {
      unclear_.insert(file_.name_of(event, event.values[0]).name);
    } else if (is(known_.machine)) {
      asked_machine_ = true;
    } else if (its.fiber == no_number) {
      outside_ = outside_ || !is(known_.work);
    } else {
      pass_time(its, event.ns);
      act(its, event);
    }
  }

  // --- activations and fibers ---

  std::uint32_t activation_of_token(std::uint64_t token) {
    auto& waiting = by_token_[token];
    waiting.push_back(new_activation());
    return waiting.back();
  }
  std::uint32_t new_activation() {
    graph_.activations.emplace_back();
    return static_cast<std::uint32_t>(graph_.activations.size() - 1);
  }
  void begin_activation(const trace_event& event) {
    ++began_;
    auto& waiting = by_token_[event.values[0]];
    if (waiting.empty()) {
      unclear_.insert("tokens of which the trace does not say who made them");
      return;
    }
    const std::uint32_t which = waiting.front();
    waiting.pop_front();
    if (const auto before = by_frame_.find(event.values[1]);
        before != by_frame_.end() && !was_leaf(graph_.activations[before->second])) {
      unclear_.insert("so many activations that their names came again");
      return;
    }
    by_frame_[event.values[1]] = which;
    by_address_[event.values[2]] = which;
    graph_.activations[which].first_fiber = open_fiber(event, which, 4);
    lanes_[event.source].frame = event.values[1];
  }
  /// What has answered and ended without a frame: the frame that it was said to take stayed free.
  static bool was_leaf(const graph_activation& its) { return its.fibers == 1 && its.slots.empty(); }
  std::uint32_t open_fiber(const trace_event& event, std::uint32_t activation,
                           std::uint8_t priority) {
    const auto number = static_cast<std::uint32_t>(graph_.fibers.size());
    graph_.fibers.emplace_back().priority = priority;
    ++graph_.activations[activation].fibers;
    lanes_[event.source] = {number, activation, event.ns, 0, {}};
    last_fiber_.resize(graph_.activations.size(), no_number);
    last_fiber_[activation] = number;
    return number;
  }
  /// fibers: how many ran until this turn ended. Those that followed for signals that came within
  /// the turn become fibers of their own.
  void end_fiber(lane& its, std::uint64_t fibers) {
    std::uint64_t followers = fibers > 0 ? fibers - 1 : 0;
    std::map<std::uint64_t, std::size_t> last;  // by slot: after how many actions it had all
    for (const auto& [slot, actions] : its.got) last[slot] = actions;
    std::vector<std::pair<std::size_t, std::uint64_t>> begins;
    for (const auto& [slot, actions] : last)
      if (slot_at(its.frame, slot).signals != 0) begins.emplace_back(actions, slot);
    std::sort(begins.begin(), begins.end());
    std::size_t cut = 0;  // actions that belong to fibers before
    for (const auto& [actions, place] : begins) {
      if (followers == 0) break;
      --followers;
      open_slot& slot = slot_at(its.frame, place);
      auto& activation = graph_.activations[its.activation];
      const auto number = static_cast<std::uint32_t>(graph_.fibers.size());
      graph_fiber& next = graph_.fibers.emplace_back();
      graph_fiber& before = graph_.fibers[its.fiber];
      next.priority = before.priority;
      const auto from = before.actions.begin() + static_cast<std::ptrdiff_t>(actions - cut);
      next.actions.assign(from, before.actions.end());
      before.actions.erase(from, before.actions.end());
      cut = actions;
      before.awaits = slot.number;
      activation.slots[slot.number].push_back({std::exchange(slot.signals, 0) + 1, number});
      ++activation.fibers;
      its.fiber = last_fiber_[its.activation] = number;
    }
    graph_.fibers[its.fiber].followers = static_cast<std::uint32_t>(followers);
  }
  void begin_fiber(const trace_event& event) {
    const auto frame = by_frame_.find(event.values[1]);
    auto& waiting = fires_[{event.values[1], event.values[0]}];
    lanes_[event.source] = {};
    if (frame == by_frame_.end() || waiting.empty()) {
      unclear_.insert("fibers of which the trace does not say what made them ready");
      return;
    }
    const auto [slot, index] = waiting.front();
    waiting.pop_front();
    const std::uint32_t number =
        open_fiber(event, frame->second, static_cast<std::uint8_t>(event.values[0] & 7));
    lanes_[event.source].frame = event.values[1];
    graph_.activations[frame->second].slots[slot][index].fiber = number;
  }

  // --- slots ---

  open_slot& slot_at(std::uint64_t frame, std::uint64_t place) {
    const auto owner = by_frame_.find(frame);
    if (owner == by_frame_.end()) {
      unclear_.insert("slots of what is no activation");
      return nobodys_;
    }
    const auto [known, is_new] = slots_.try_emplace({frame, place});
    if (is_new) {
      auto& all = graph_.activations[owner->second].slots;
      known->second.number = static_cast<std::uint32_t>(all.size());
      all.emplace_back();
    }
    return known->second;
  }
  void fired(const trace_event& event) {
    const std::uint64_t frame = event.values[1];
    open_slot& slot = slot_at(frame, event.values[0]);
    const auto owner = by_frame_.find(frame);
    if (owner == by_frame_.end()) return;
    auto& fires = graph_.activations[owner->second].slots[slot.number];
    fires_[{frame, event.values[2]}].push_back(
        {slot.number, static_cast<std::uint32_t>(fires.size())});
    fires.push_back({std::exchange(slot.signals, 0), no_number});
    const lane& its = lanes_[event.source];
    const std::uint32_t last = last_fiber_[owner->second];
    const bool is_join = event.values[3] != 0;
    if (last == no_number || its.frame == frame || graph_.fibers[last].awaits != no_number) return;
    if (!is_join && last != graph_.activations[owner->second].first_fiber) return;
    graph_.fibers[last].awaits = slot.number;
    ++fires.back().signals;
  }

  // --- what a fiber does ---

  void came(const trace_event& event) {
    auto& asked = invoked_[{event.values[0], file_.sources()[event.source].number}];
    if (!asked.empty()) {
      by_token_[event.values[1]].push_back(asked.front());
      asked.pop_front();
    } else if (graph_.root == no_number) {
      graph_.root = activation_of_token(event.values[1]);
    } else {
      unclear_.insert("activations that no fiber made");
    }
  }
  void pass_time(lane& its, std::int64_t now) {
    if (its.fiber == no_number || file_.run().simulated || now <= its.counted) return;
    add(its, {.is = graph_action::kind::work,
              .what = 0,
              .count = static_cast<std::uint64_t>(now - its.counted)});
    its.counted = now;
  }
  void add(const lane& its, const graph_action& what) {
    graph_.fibers[its.fiber].actions.push_back(what);
  }
  void act(const lane& its, const trace_event& event) {
    const auto& values = event.values;
    if (event.type == known_.work) {
      if (!file_.run().simulated) return;  // its time was measured
      add(its, {.is = graph_action::kind::work, .what = operation(event), .count = values[0]});
    } else if (event.type == known_.token) {
      ++graph_.tokens;
      add(its, {.is = graph_action::kind::token, .what = activation_of_token(values[0])});
    } else if (event.type == known_.invoked) {
      ++graph_.tokens;
      const std::uint32_t self = file_.sources()[event.source].number;
      graph_place to{graph_place::kind::here, 0};
      if (values[0] != self) {
        to = {graph_place::kind::processor, static_cast<std::uint32_t>(values[0])};
        named_processors_ = true;
      }
      const std::uint32_t which = new_activation();
      add(its, {.is = graph_action::kind::invoke, .what = which, .count = values[1], .to = to});
      invoked_[{self, values[0]}].push_back(which);
    } else if (event.type == known_.sent) {
      if (values[1] == 0) return;
      add(its, {.is = graph_action::kind::signal, .count = values[0]});
      aim(its, values[1]);
    } else if (event.type == known_.asked) {
      add(its, {.is = graph_action::kind::ask,
                .message = static_cast<std::uint8_t>(values[0]),
                .count = values[1],
                .from = place_at(values[2], values[1], event.source, false),
                .to = place_at(values[3], values[1], event.source, true)});
      if (values[4] != 0) aim(its, values[4]);
    }
  }
  std::uint32_t operation(const trace_event& event) {
    const std::string& name = file_.name_of(event, event.values[1]).name;
    const auto [known, is_new] = by_operation_.try_emplace(
        {name, event.values[2]}, static_cast<std::uint32_t>(graph_.operations.size()));
    if (is_new) graph_.operations.push_back({name, event.values[2]});
    return known->second;
  }
  /// The last action of that fiber signals that slot.
  void aim(const lane& its, std::uint64_t slot) {
    const auto owner = by_frame_.find(frame_of_slot(slot));
    if (owner == by_frame_.end()) {
      unclear_.insert("slots of what is no activation");
      return;
    }
    graph_action& action = graph_.fibers[its.fiber].actions.back();
    action.what = owner->second;
    action.slot = slot_at(frame_of_slot(slot), place_of_slot(slot)).number;
  }
  graph_place place_at(std::uint64_t place, std::uint64_t bytes, std::uint32_t source,
                       bool written) {
    if (place == 0) return {};
    auto after = by_address_.upper_bound(place);
    if (after != by_address_.begin() && place - std::prev(after)->first < frame_bytes_max)
      return {graph_place::kind::activation, std::prev(after)->second};
    return data_.add(place, bytes, file_.sources()[source].number, written);
  }

  void finish() {
    data_.find_shared();
    for (graph_fiber& fiber : graph_.fibers)
      for (graph_action& action : fiber.actions) {
        data_.settle(action.from);
        data_.settle(action.to);
      }
    for (const auto& [which, slot] : slots_)
      if (const auto owner = by_frame_.find(which.first); owner != by_frame_.end())
        graph_.activations[owner->second].slots[slot.number].push_back({slot.signals, no_number});
    for (graph_activation& each : graph_.activations)
      for (const auto& fires : each.slots)
        for (const graph_fire& fire : fires)
          if (fire.fiber == no_number) each.spare_signals += fire.signals;
    if (asked_machine_)
      graph_.depends.emplace_back("the program asked how many processors or nodes there are");
    if (named_processors_)
      graph_.depends.emplace_back("it began activations on processors that it named");
    if (data_.lay_elsewhere())
      graph_.depends.emplace_back("it read data that other processors had made in their memory");
    if (outside_) graph_.depends.emplace_back("some of it happened outside of fibers");
  }

  const trace_file& file_;
  const graph_events known_;
  recorded_graph graph_;
  std::vector<lane> lanes_;
  std::unordered_map<std::uint64_t, std::deque<std::uint32_t>> by_token_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_frame_;
  std::map<std::uint64_t, std::uint32_t> by_address_;
  std::map<pair_of_numbers, open_slot> slots_;  // by frame and place
  std::map<pair_of_numbers, std::deque<std::pair<std::uint32_t, std::uint32_t>>>
      fires_;  // by frame and priority: slots, and which of their fires
  std::map<pair_of_numbers, std::deque<std::uint32_t>> invoked_;  // by processors: activations
  std::vector<std::uint32_t> last_fiber_;                         // by activation
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> by_operation_;
  open_slot nobodys_;
  std::set<std::string> unclear_;
  graph_data data_;
  std::uint64_t began_ = 0;
  bool asked_machine_ = false, named_processors_ = false, outside_ = false;
};

}  // namespace

result<recorded_graph> read_graph(const trace_file& file) {
  if (file.dropped() != 0)
    return error{
        fmt::format("{} events of the run were lost, so its graph has holes: record it "
                    "with --trace-full wait",
                    file.dropped())};
  if (!file.problems().empty())
    return error{"a part of the trace cannot be read, so its graph has holes: " +
                 file.problems().front()};
  const std::string& world = file.run().world;
  if (world != "sim" && world != "local")
    return error{fmt::format("a graph is recorded in the worlds sim and local, not in {}", world)};
  std::optional<double> elapsed;
  bool repeatable = true;
  for (const std::string& each : file.ends()) {
    const auto end = nlohmann::json::parse(each, nullptr, false);
    if (!end.is_object() || !end.contains("statistics") || !end["statistics"].is_object()) continue;
    const auto& its = end["statistics"];
    elapsed = its.value("elapsed_seconds", 0.0);
    repeatable = its.value("repeatable", true);
  }
  if (!elapsed) return error{"the trace has no end: the run failed, or its trace was cut off"};
  if (!repeatable)
    return error{
        "the program does not declare all its work, so world sim measured it and the trace does "
        "not say how long each fiber took: record the run in world local"};
  auto graph = graph_reader(file).run();
  if (!graph) return graph;
  if (const auto sound = check_graph(graph.value()); !sound) return error{sound.problem()};
  graph.value().elapsed_seconds = *elapsed;
  return graph;
}

}  // namespace terrane
