// SPDX-License-Identifier: Apache-2.0
// sim_arrivals.cpp: what arrives at the nodes of world sim, when they handle it, and what
// comes next.
#include "terrane/core/node.hpp"
#include "terrane/transport/planted_bugs.hpp"
#include "terrane/transport/sim_agent.hpp"

namespace terrane {

// --- what arrives ---

void sim_world::arrive(std::uint32_t place) {
  const parcel& what = parcels_[place];
  if (what.what == parcel::kind::message) {
    log_.add(event_log::message, clock_, what.to, what.from, what.size);
    agent& receiver = agents_[what.to];
    if (node_of(what.from) != receiver.home) interfaces_.arrived(receiver.home);
    parcels_.append(receiver.inbox, place);
    receiver.self->notice();
    wake_agent(receiver);
    return;
  }
  log_.add(what.what == parcel::kind::note ? event_log::note : event_log::token, clock_, what.to,
           what.from, what.size);
  parcels_.append(sites_[what.to].arrived, place);
  interfaces_.arrived(what.to);
  if (options_.costs.attentive != 0 && attend(what.to)) return;
  // A sleeping processor handles it at once. If none sleeps, the first that begins its next turn
  // does.
  for (std::uint32_t p = 0; p < options_.processors_per_node; ++p)
    if (wake_agent(agents_[what.to * options_.processors_per_node + p])) return;
}

void sim_world::poll(processor& self) {
  agent& mine = agents_[self.number];
  for (bool alone = true; !mine.inbox.empty(); alone = false) {
    const std::uint32_t place = parcels_.take_first(mine.inbox);
    parcel& next = parcels_[place];
    const std::uint64_t since = mine.clock, before = interrupted_ns_;
    const service_costs* own = nullptr;
    if (node_of(next.from) != mine.home) {
      own = priced(next);
      if (own) note_flight(self, next);
      spend(mine, own ? own->taken(next.payload) : options_.costs.receive_overhead_ns);
      interfaces_.taken(mine.home);
    }
    const service taken = next.sent_as;
    const std::size_t bytes = next.payload;
    const planted_bug bug = options_.faults.bug;
    if (bug == planted_bug::none || !forgets_signal(bug, faults_, self, next, alone))
      handle(self, {next.message_kind, next.from, next.size, next.data(), next.said_at});
    if (own) note_service(self, taken, bytes, since, before);
    parcels_.give_back(place);
  }
}

void sim_world::take_arrivals(agent& whose) {
  policy_host& policy = whose.self->home().policy();
  site& here = sites_[whose.home];
  while (!here.arrived.empty()) {
    const std::uint32_t place = parcels_.take_first(here.arrived);
    const parcel& next = parcels_[place];
    interfaces_.taken(whose.home);
    whose.clock += options_.costs.receive_overhead_ns + options_.costs.balance_ns;
    whose.self->times().poll += options_.costs.receive_overhead_ns;
    whose.self->times().balance += options_.costs.balance_ns;
    if (TERRANE_UNLIKELY(whose.self->records(event_class::time))) {
      event_writer& writer = whose.self->writer();
      writer.look();
      writer.put<event_id::polled>(options_.costs.receive_overhead_ns);
      writer.put<event_id::balanced>(options_.costs.balance_ns);
    }
    if (next.what == parcel::kind::note) {
      policy.note_arrived(whose.self, next.from, next.text, next.load);
    } else {
      policy.token_arrived(whose.self, next.from, next.token, {next.load, next.origin});
      if (options_.faults.bug == planted_bug::doubled_token && !here.arrived.empty() &&
          faults_.strikes())
        policy.token_arrived(whose.self, next.from, next.token, {next.load, next.origin});
    }
    parcels_.give_back(place);
  }
}

/// A processor in the middle of a turn handles the arrivals now, and its turn ends later by the
/// time that this takes. All tokens that the turn spawns exist already at that point; this matters
/// little, since a fiber that spawns is short.
bool sim_world::attend(node_id at) {
  agent& busy = agents_[at * options_.processors_per_node];
  if (busy.asleep || busy.stopped || busy.clock <= clock_ || current_ != nullptr) return false;
  const std::uint64_t end = busy.clock;
  busy.clock = clock_;
  current_ = &busy;
  terrane_here = busy.self;
  queue_opens_ = std::min(end, clock_ + options_.costs.tick_ns);
  busy.self->tokens().stock_pool(0);  // while a fiber runs, nothing else does
  take_arrivals(busy);
  nodes_[at]->policy().tick_if_due(busy.self, clock_);
  queue_opens_ = 0;
  let_out(busy);
  current_ = nullptr;
  terrane_here = TERRANE_NO_PROCESSOR;
  busy.clock = end + (busy.clock - clock_);
  schedule_turn(busy, busy.clock);
  if (nodes_[at]->policy().next_tick() < busy.clock)
    look_again(at, nodes_[at]->policy().next_tick());
  return true;
}

/// Schedules a tick, so that the balancer of a node that runs a fiber keeps its period.
void sim_world::look_again(node_id at, std::uint64_t when) {
  site& there = sites_[at];
  if (when >= there.looks_at) return;
  there.looks_at = when;
  queue_.push({when, rank(of_ticks | at, when), tick_ticket, at});
}

bool sim_world::wake(processor& sleeper) { return wake_agent(agents_[sleeper.number]); }

bool sim_world::wake_agent(agent& whose) {
  if (!whose.asleep) return false;
  whose.asleep = false;
  schedule_turn(whose, std::max(whose.clock, now()));
  return true;
}

// --- what is to come ---

/// Machines of thousands of nodes do not fit into the caches: what the next event touches is
/// fetched while this one is carried out. Of those after it, only what says where they go.
void sim_world::look_ahead() {
  if (queue_.empty()) return;
  const auto fetch = [](const void* what) { __builtin_prefetch(what, 1); };
  queue_.visit_second([&](const scheduled& later) {
    if (later.ticket == 0)
      fetch(&parcels_[later.index]);
    else if (later.ticket != tick_ticket)
      fetch(&agents_[later.index]);
  });
  const scheduled& next = queue_.first();
  if (next.ticket != 0 || !parcels_[next.index].on_its_way) return;
  const parcel& what = parcels_[next.index];
  const bool is_message = what.what == parcel::kind::message;
  fetch(&agents_[is_message ? what.to : what.to * options_.processors_per_node]);
  if (!is_message) fetch(&sites_[what.to]);
}

}  // namespace terrane
