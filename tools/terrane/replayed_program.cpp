// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/replayed_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "terrane/core/message.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/terrane.h"

namespace terrane {

namespace {

// A slot that has fired shows that by a count near this until its fiber runs.
constexpr std::int32_t fired_mark = 1 << 28;
constexpr std::int32_t never = 1 << 26;  // no activation gets so many signals

struct replayed_frame {
  terrane_frame head;
  std::uint32_t activation, fibers_left;
  std::uint32_t slots, unused;
  terrane_slot slot[1];
};
constexpr std::size_t slots_at = offsetof(replayed_frame, slot);
constexpr std::uint32_t slots_most = 1000;
constexpr std::array<std::uint32_t, 5> sizes{3, 15, 63, 255, slots_most};

/// What one replay needs to know; processors of world sim share a thread.
struct replay_state {
  const recorded_graph& graph;
  std::vector<terrane_operation> operations;
  std::vector<terrane_slot_ref> frames;           // by activation; 0: it has not begun
  std::vector<std::vector<std::uint32_t>> early;  // slots that were signalled before
  std::vector<std::vector<std::uint32_t>> fired;  // by activation and slot: fires so far
  std::vector<unsigned char> data;                // what is sent, and where it arrives
  std::uint64_t early_signals = 0;
  bool root_ended = false;  // the run is over, wherever that is not known yet
};
replay_state* running = nullptr;

terrane_step run_ready(terrane_frame* frame);
void start(terrane_processor* here, const void* args);

constexpr terrane_function function_of(std::uint32_t slots, bool root) {
  const auto bytes = static_cast<std::uint32_t>(slots_at + slots * sizeof(terrane_slot));
  return {"a replayed activation",
          nullptr,
          0,
          TERRANE_FRAME_CLASS(bytes),
          bytes,
          sizeof(std::uint64_t),
          start,
          root ? terrane_root_ended : nullptr,
          nullptr,
          0};
}
const terrane_function functions[] = {function_of(sizes[0], false), function_of(sizes[1], false),
                                      function_of(sizes[2], false), function_of(sizes[3], false),
                                      function_of(sizes[4], false)};
const terrane_function root_function = function_of(slots_most, true);
const struct all_registered {
  all_registered() {
    for (const terrane_function& each : functions) terrane_register(&each);
    terrane_register(&root_function);
  }
} registered;

#define TERRANE_REPLAYED(priority) \
  {run_ready, &root_function, "replayed", nullptr, 0, priority, false}
const terrane_fiber ready_fibers[] = {TERRANE_REPLAYED(0), TERRANE_REPLAYED(1), TERRANE_REPLAYED(2),
                                      TERRANE_REPLAYED(3), TERRANE_REPLAYED(4), TERRANE_REPLAYED(5),
                                      TERRANE_REPLAYED(6), TERRANE_REPLAYED(7)};
#undef TERRANE_REPLAYED

std::uint32_t slots_of(const graph_activation& its) {
  return static_cast<std::uint32_t>(its.slots.size());
}
const terrane_function& function_for(std::uint32_t activation) {
  if (activation == running->graph.root) return root_function;
  const std::uint32_t slots = slots_of(running->graph.activations[activation]);
  std::size_t which = 0;
  while (sizes[which] < slots) ++which;
  return functions[which];
}

// --- slots ---

std::int32_t signals_for(const std::vector<graph_fire>& fires, std::uint32_t index) {
  if (index >= fires.size() || fires[index].fiber == no_number) return never;
  return static_cast<std::int32_t>(std::max<std::uint32_t>(1, fires[index].signals));
}
const terrane_fiber* fiber_for(const std::vector<graph_fire>& fires, std::uint32_t index) {
  const bool there = index < fires.size() && fires[index].fiber != no_number;
  return &ready_fibers[there ? running->graph.fibers[fires[index].fiber].priority : 4];
}

/// The slot has fired: what is its next fire to be? Signals that came meanwhile count for it.
void arm(terrane_processor* here, replayed_frame* frame, std::uint32_t number) {
  const auto& fires = running->graph.activations[frame->activation].slots[number];
  const std::uint32_t done = ++running->fired[frame->activation][number];
  terrane_slot& slot = frame->slot[number];
  slot.count -= fired_mark;  // the signals of the next fire, less those that came
  slot.fiber = fiber_for(fires, done);
  slot.reset = signals_for(fires, done + 1) + fired_mark;
  if (slot.count > 0) return;
  slot.reset += slot.count;
  slot.count = 0;
  terrane_slot_expired(here, &frame->head, &slot);
}

// --- what a fiber does ---

std::uint32_t processor_at(const graph_place& place, std::uint32_t self) {
  if (place.is == graph_place::kind::processor) return place.number % terrane_processors();
  if (place.is != graph_place::kind::activation) return self;
  const terrane_slot_ref frame = running->frames[place.number];
  return frame == 0 ? self : processor_of(frame);
}
terrane_global data_on(std::uint32_t processor) {
  return terrane_place_on(processor, running->data.data());
}
/// The slot that an action signals; 0 if there is none.
terrane_slot_ref slot_of(const graph_action& action) {
  if (action.what == no_number) return 0;
  if (action.what == running->graph.root && running->root_ended) return 0;
  const terrane_slot_ref frame = running->frames[action.what];
  if (frame == 0) {
    ++running->early_signals;
    running->early[action.what].push_back(action.slot);
    return 0;
  }
  return frame + terrane_slot_bits(static_cast<std::ptrdiff_t>(slots_at) +
                                   static_cast<std::ptrdiff_t>(action.slot) *
                                       static_cast<std::ptrdiff_t>(sizeof(terrane_slot)));
}

void make_token(terrane_processor* here, std::uint32_t which) {
  if (running->graph.activations[which].first_fiber == no_number) return;  // it never ran
  const terrane_function& function = function_for(which);
  const std::uint64_t number = which;
  if (terrane_spawn_inline(here)) return function.run(here, &number);
  std::memcpy(terrane_token_push(here, &function), &number, sizeof number);
}
void ask(const graph_action& action, std::uint32_t self) {
  const std::uint32_t owner = processor_at(action.from, self);
  const terrane_slot_ref done = slot_of(action);
  const terrane_global from = data_on(owner);
  switch (static_cast<entry>(action.message)) {
    case entry::atomic_add: {
      const bool answers = action.to.is != graph_place::kind::none;
      return terrane_atomic_add(0, from, answers ? data_on(processor_at(action.to, self)) : 0,
                                done);
    }
    case entry::allocate:
      return terrane_get(from, sizeof(terrane_global), data_on(processor_at(action.to, self)),
                         done);
    case entry::release: return terrane_put_far(running->data.data(), 0, from, done);
    default:
      return terrane_block_move(from, data_on(processor_at(action.to, self)), action.count, done);
  }
}

void act(terrane_processor* here, const graph_action& action) {
  const std::uint32_t self = here->number;
  switch (action.is) {
    case graph_action::kind::work:
      return terrane_charge(&running->operations[action.what], action.count);
    case graph_action::kind::token: return make_token(here, action.what);
    case graph_action::kind::invoke: {
      if (action.what == no_number) return;
      if (running->graph.activations[action.what].first_fiber == no_number) return;
      const std::uint64_t number = action.what;
      return terrane_invoke(processor_at(action.to, self), &function_for(action.what), &number);
    }
    case graph_action::kind::signal: {
      const terrane_slot_ref slot = slot_of(action);
      if (slot == 0) return;
      if (action.count == 0) return terrane_signal(slot);
      return terrane_reply_send({slot, running->data.data()}, running->data.data(), action.count);
    }
    case graph_action::kind::ask: return ask(action, self);
  }
}

terrane_step run_fiber(replayed_frame* frame, std::uint32_t which) {
  terrane_processor* const here = terrane_here;
  terrane_charge(&running->operations[0], 0);
  const graph_fiber& its = running->graph.fibers[which];
  for (const graph_action& each : its.actions) act(here, each);
  here->fibers += its.followers;
  if (--frame->fibers_left == 0) {
    const bool root = frame->activation == running->graph.root;
    running->root_ended = running->root_ended || root;
    if (root || running->graph.activations[frame->activation].spare_signals == 0)
      return TERRANE_DONE;
  }
  return its.awaits == no_number ? TERRANE_WAIT : terrane_give_up_hold(&frame->slot[its.awaits]);
}

terrane_step run_ready(terrane_frame* head) {
  auto* const frame = reinterpret_cast<replayed_frame*>(head);
  const auto& its = running->graph.activations[frame->activation];
  for (std::uint32_t i = 0; i < frame->slots; ++i) {
    if (frame->slot[i].count < fired_mark / 2) continue;
    const std::uint32_t which = its.slots[i][running->fired[frame->activation][i]].fiber;
    arm(terrane_here, frame, i);
    return run_fiber(frame, which);
  }
  return TERRANE_WAIT;
}

void start(terrane_processor* here, const void* args) {
  std::uint64_t number;
  std::memcpy(&number, args, sizeof number);
  const auto which = static_cast<std::uint32_t>(number);
  const graph_activation& its = running->graph.activations[which];
  const terrane_function& function = function_for(which);
  terrane_frame* const head = terrane_frame_new(here, &function, function.frame_class);
  auto* const frame = reinterpret_cast<replayed_frame*>(head);
  frame->activation = which;
  frame->fibers_left = its.fibers;
  frame->slots = slots_of(its);
  for (std::uint32_t i = 0; i < frame->slots; ++i) {
    frame->slot[i].count = signals_for(its.slots[i], 0);
    frame->slot[i].reset = signals_for(its.slots[i], 1) + fired_mark;
    frame->slot[i].fiber = fiber_for(its.slots[i], 0);
  }
  running->fired[which].assign(frame->slots, 0);
  running->frames[which] = head->name;
  for (const std::uint32_t slot : running->early[which])
    terrane_signal(head->name + terrane_slot_bits(reinterpret_cast<char*>(&frame->slot[slot]) -
                                                  reinterpret_cast<char*>(frame)));
  running->early[which].clear();
  terrane_proceed(here, head, run_fiber(frame, its.first_fiber), &function);
}

}  // namespace

result<void> can_replay(const recorded_graph& graph) {
  for (const graph_activation& each : graph.activations)
    if (slots_of(each) > slots_most)
      return error{fmt::format("an activation of the program has {} slots; a replay can have {}",
                               each.slots.size(), slots_most)};
  return {};
}

result<replayed_run> replay(const recorded_graph& graph, const run_options& options) {
  run_options its = options;
  const auto placed = place(its, simulated_world());
  if (!placed) return error{placed.problem()};
  auto made = machine::make(its, placed.value());
  if (!made) return error{made.problem()};
  replay_state state{graph, {}, {}, {}, {}, {}, 0, false};
  for (const graph_operation& each : graph.operations)
    state.operations.push_back({each.name.c_str(), each.picoseconds});
  state.frames.resize(graph.activations.size());
  state.early.resize(graph.activations.size());
  state.fired.resize(graph.activations.size());
  std::uint64_t most = 8;
  for (const graph_fiber& each : graph.fibers)
    for (const graph_action& action : each.actions)
      if (action.is != graph_action::kind::work) most = std::max(most, action.count);
  state.data.resize(most);
  running = &state;
  const std::uint64_t root = graph.root;
  const run_outcome outcome = made.value()->run(root_function, &root);
  running = nullptr;
  return replayed_run{outcome.statistics, !outcome.deadlock, state.early_signals};
}

}  // namespace terrane
