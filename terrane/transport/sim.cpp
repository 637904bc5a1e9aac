// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/sim.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/base/clock.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/token.hpp"
#include "terrane/transport/sim_agent.hpp"

namespace terrane {

namespace {

constexpr std::size_t stack_for_inline_children = std::size_t{4} << 20;

// Reading the real clock twice per turn costs a third of an event. So it is read until a turn
// declares its work, and again for this many turns after a turn that did not. If a program leaves
// only a few fibers in a thousand undeclared, some of those may be charged just a fiber's fixed
// cost.
constexpr std::uint32_t measured_after_undeclared = 1024;

/// The least time that a parcel takes. A probe for quiescence circulates as long as work is on the
/// wire. If it took no time, the clock would never advance.
std::uint64_t least_ns(const parcel& what) {
  const bool probe = what.what == parcel::kind::message && what.message_kind == entry::probe;
  return probe ? 1000 : 0;
}

}  // namespace

result<std::unique_ptr<sim_world>> sim_world::make(sim_options options) {
  const std::string log_file = options.log_file;
  std::unique_ptr<sim_world> made(new sim_world(std::move(options)));
  if (log_file.empty()) return made;
  made->log_.file = std::fopen(log_file.c_str(), "w");
  if (!made->log_.file)
    return error{"cannot write the event log " + log_file + ": " + std::strerror(errno) +
                 "; choose another FILE for --log"};
  return made;
}

sim_world::sim_world(sim_options options)
    : world({.wire = *this, .crew = *this, .neighbours = this, .prices = this}),
      terrane::crew(true),
      options_(std::move(options)),
      free_probe_{.priced = true, .flight_ns = options_.costs.probe_flight_ns},
      network_(options_.costs, options_.nodes, options_.seed),
      faults_(options_.faults, options_.nodes, options_.costs.latency_ns, options_.seed),
      dice_(options_.faults.rare, options_.seed),
      prices_(options_.costs),
      interfaces_(options_.nodes, options_.costs.interface_messages),
      agents_(std::size_t{options_.nodes} * options_.processors_per_node),
      sites_(options_.nodes) {
  for (std::uint32_t i = 0; i < agents_.size(); ++i) {
    agents_[i].number = i;
    agents_[i].home = node_of(i);
    agents_[i].slow = faults_.slow(node_of(i));
  }
}

sim_world::~sim_world() = default;

void sim_world::attach(std::span<node* const> nodes) { nodes_ = nodes; }

std::uint64_t sim_world::now() { return current_ ? current_->clock : clock_; }

/// The rank of an event: 24 bits drawn from the seed, channel and time, then the order of making.
std::uint64_t sim_world::rank(std::uint64_t channel, std::uint64_t time) {
  std::uint64_t drawn = (channel + options_.seed * 0x9e3779b97f4a7c15u) ^ time;
  drawn = (drawn ^ drawn >> 30) * 0xbf58476d1ce4e5b9u;
  drawn = (drawn ^ drawn >> 27) * 0x94d049bb133111ebu;
  return (drawn >> 40 << 40) | (made_++ & ((std::uint64_t{1} << 40) - 1));
}

// --- what is sent ---

/// Sends a parcel: directly within a node, through the network to another node.
void sim_world::post(std::uint32_t place, node_id from, node_id to) {
  parcel& what = parcels_[place];
  what.sent_as = std::exchange(next_as_, service::none);
  what.payload = static_cast<std::uint32_t>(next_bytes_);
  what.on_its_way = from == to;
  std::uint64_t when = now();
  if (from == to) {
    when += std::max(options_.costs.local_message_ns, least_ns(what));
    queue_.push({when, rank(what.channel(), when), 0, place});
    return;
  }
  if (current_) {
    const service_costs* const own = priced(what);
    const std::uint64_t since = current_->clock, before = interrupted_ns_;
    spend(*current_, own ? own->work(what.payload, options_.costs.page_bytes)
                         : network_.sending(what.bytes()));
    when = current_->clock;
    event_writer& writer = current_->self->writer();
    if (own && when != since && current_->self->records(event_class::channel)) {
      writer.at(when);
      writer.put<event_id::packed>(name_of(what.sent_as), what.payload, when - since,
                                   interrupted_ns_ - before);
    }
  }
  if (what.what == parcel::kind::token && what.origin == from)
    when = std::max(when, queue_opens_);  // a token that is passed on was not in the queue
  traffic_.count(from, to, what.bytes());
  what.posted_ns = when;
  if (options_.costs.send_phase != 0 && current_) return outgoing_.push_back(place);
  queue_.push({when, rank(of_departures | what.from, when), 0, place});
}

/// The clock has reached the time at which a parcel was sent: the network says when it arrives.
void sim_world::hand_over(std::uint32_t place) {
  parcel& what = parcels_[place];
  const bool message = what.what == parcel::kind::message;
  const node_id from = message ? node_of(what.from) : what.from,
                to = message ? node_of(what.to) : what.to;
  what.left_ns = clock_;
  flight own{};
  const service_costs* const its = priced(what);
  if (its) own = {its->flight_ns, what.payload * its->flight_byte_ps / 1000, its != &free_probe_};
  std::uint64_t when = std::max(
      network_.arrival(from, to, its ? what.payload : what.bytes(), clock_, its ? &own : nullptr),
      clock_ + least_ns(what));
  if (options_.faults.of_messages()) {
    std::uint64_t& last = last_arrival_[what.channel()];
    last = when = std::max(last, when + faults_.message_delay_ns());
  }
  what.on_its_way = true;
  queue_.push({when, rank(what.channel(), when), 0, place});
}

void sim_world::send(processor& from, processor_id to, entry kind, bytes_view head,
                     bytes_view body) {
  const std::uint32_t place = parcels_.take();
  parcel& what = parcels_[place];
  what.what = parcel::kind::message;
  what.message_kind = kind;
  what.from = from.number;
  what.to = to;
  what.size = static_cast<std::uint32_t>(head.size + body.size);
  what.said_at = from.sends_for();
  if (TERRANE_RARE("sim.message_in_block", what.size > sizeof what.small))
    what.large.reset(new unsigned char[what.size]);
  if (head.size != 0) std::memcpy(what.data(), head.data, head.size);
  if (body.size != 0) std::memcpy(what.data() + head.size, body.data, body.size);
  post(place, node_of(from.number), node_of(to));
}

void sim_world::post_note(processor*, node& from, node_id to, const note& text, int load) {
  const std::uint32_t place = parcels_.take();
  parcel& what = parcels_[place];
  what.what = parcel::kind::note;
  what.from = from.number();
  what.to = to;
  what.size = 0;
  what.text = text;
  what.load = load;
  post(place, from.number(), to);
}

void sim_world::post_token(processor*, node& from, node_id to, const terrane_token& token,
                           const load_hint& hint) {
  const std::uint32_t place = parcels_.take();
  parcel& what = parcels_[place];
  what.what = parcel::kind::token;
  what.from = from.number();
  what.to = to;
  what.size = static_cast<std::uint32_t>(weight_of(token));
  what.token = token;
  what.load = hint.load;
  what.origin = hint.origin;
  post(place, from.number(), to);
}

// --- time ---

void sim_world::charge(const terrane_operation& operation, std::uint64_t count) {
  declared_ = true;
  agent& payer = *current_;
  payer.picoseconds +=
      prices_.picoseconds(operation) * count * (payer.slow ? fault_plan::slowness : 1);
  spend(payer, payer.picoseconds / 1000);
  payer.picoseconds %= 1000;
}

void sim_world::pay_for_turn(agent& whose, std::uint64_t fibers, std::uint64_t tokens,
                             std::uint64_t started) {
  const std::uint64_t slowness = whose.slow ? fault_plan::slowness : 1;
  const std::uint64_t switching = fibers * options_.costs.fiber_ns * slowness;
  spend(whose, switching + tokens * options_.costs.token_ns * slowness);
  whose.self->times().switching += switching;
  if (options_.costs.poll_each != 0) {
    whose.clock += fibers * options_.costs.poll_ns * slowness;
    whose.self->times().poll += fibers * options_.costs.poll_ns * slowness;
  }
  if (fibers == 0) return;
  if (declared_) {
    if (measured_turns_ != 0) --measured_turns_;
    return;
  }
  if (started != 0) whose.clock += (monotonic_ns() - started) * slowness;
  measured_turns_ = measured_after_undeclared;
  repeatable_ = false;
}

std::uint64_t sim_world::ask_ns_max() const {
  const std::uint64_t least =
      options_.costs.ask_ns_max != 0 ? options_.costs.ask_ns_max : crew::ask_ns_max();
  return current_ ? std::max(least, (current_->clock - current_->ran_until) / 16) : least;
}

void sim_world::stand_still(agent& whose) {
  std::uint64_t& until = sites_[whose.home].still_until;
  until = std::max(until, whose.clock + faults_.pause_ns());
}

void sim_world::schedule_turn(agent& whose, std::uint64_t when) {
  if (++whose.ticket == tick_ticket) whose.ticket = 1;
  const scheduled next{when, rank(of_turns | whose.number, when), whose.ticket, whose.number};
  if (&whose != current_ || holds_) {
    queue_.push(next);
    return;
  }
  held_ = next;
  holds_ = true;
}

void sim_world::turn(agent& whose) {
  processor& self = *whose.self;
  if (const std::uint64_t still = sites_[whose.home].still_until; still > clock_)
    return schedule_turn(whose, still);
  current_ = &whose;
  terrane_here = &self;
  if (events_at_once_ > options_.events_at_once_max)
    fail(run_time_error::clock_stands_still,
         "the virtual clock stands still: %llu events fell on one moment, and there are more; a "
         "fiber that waits by enabling itself again must charge for its work",
         static_cast<unsigned long long>(events_at_once_));
  if (clock_ > whose.clock) {
    self.times().idle += clock_ - whose.clock;
    self.was_idle(clock_ - whose.clock, clock_);
    if (TERRANE_UNLIKELY(self.records(event_class::time))) {
      self.writer().at(whose.clock);
      self.writer().put<event_id::idle_began>();
      self.writer().at(clock_);
      self.writer().put<event_id::idle_ended>();
    }
  }
  whose.clock = clock_;
  whose.asleep = false;
  take_arrivals(whose);
  if (whose.clock > clock_) {  // more may arrive meanwhile: all arrivals are taken before code runs
    let_out(whose);
    current_ = nullptr;
    terrane_here = TERRANE_NO_PROCESSOR;
    return schedule_turn(whose, whose.clock);
  }

  const std::uint64_t fibers = self.fibers_executed(), tokens = self.tokens_generated();
  declared_ = false;
  const std::uint64_t started = measured_turns_ != 0 ? monotonic_ns() : 0;
  const bool ran = self.turn();
  pay_for_turn(whose, self.fibers_executed() - fibers, self.tokens_generated() - tokens, started);
  let_out(whose);
  if (options_.faults.pause > 0) stand_still(whose);
  if (ran) {
    whose.ran_until = whose.clock;
    self.idle_ended();
    schedule_turn(whose, whose.clock);
    const std::uint64_t tick = self.home().policy().next_tick();
    if (options_.costs.attentive != 0 && tick < whose.clock) look_again(whose.home, tick);
  } else if (self.stopping()) {
    whose.stopped = true;
    --running_;
  } else {
    whose.clock += options_.costs.poll_ns;
    self.times().poll += options_.costs.poll_ns;
    if (TERRANE_UNLIKELY(self.records(event_class::time) && options_.costs.poll_ns != 0)) {
      self.writer().look();
      self.writer().put<event_id::polled>(options_.costs.poll_ns);
    }
    const std::uint64_t again = self.while_idle(true);
    if (self.stopping() || self.has_work()) {
      schedule_turn(whose, whose.clock);
    } else {
      whose.asleep = true;
      if (again != timers::never) schedule_turn(whose, std::max(again, whose.clock + 1));
    }
  }
  let_out(whose);
  log_.add(event_log::turn, clock_, whose.number, whose.clock, self.fibers_executed());
  current_ = nullptr;
  terrane_here = TERRANE_NO_PROCESSOR;
}

// --- the loop ---

void sim_world::advance(std::uint64_t time) {
  if (time == clock_) {
    ++events_at_once_;
    return;
  }
  clock_ = time;
  events_at_once_ = 0;
}

void sim_world::carry_out(const scheduled& event) {
  if (event.ticket == 0) {
    advance(event.time);
    if (parcels_[event.index].on_its_way)
      arrive(event.index);
    else
      hand_over(event.index);
    return;
  }
  if (event.ticket == tick_ticket) {
    advance(event.time);
    site& there = sites_[event.index];
    if (event.time == there.looks_at) there.looks_at = timers::never;
    attend(event.index);
    return;
  }
  agent& whose = agents_[event.index];
  if (event.ticket != whose.ticket || whose.stopped) return;  // a void event
  advance(event.time);
  turn(whose);
}

void sim_world::run(std::span<processor* const> processors) {
  for (agent& each : agents_) {
    each.self = processors[each.number];
    each.self->bind(stack_for_inline_children);
  }
  measured_turns_ = 1;
  rare_dice_here = &dice_;
  for (agent& each : agents_) schedule_turn(each, faults_.start_ns(each.home));
  running_ = agents_.size();
  const bool looks_ahead = agents_.size() > fits_in_caches;
  while (running_ != 0) {
    scheduled next;
    if (!holds_) {
      TERRANE_CHECK(!queue_.empty());
      next = queue_.pop();
    } else {
      holds_ = false;
      next = queue_.empty() || held_ < queue_.first() ? held_ : queue_.exchange(held_);
    }
    if (looks_ahead) look_ahead();
    carry_out(next);
  }
  terrane_here = TERRANE_NO_PROCESSOR;
  rare_dice_here = nullptr;
  // Tokens that are still under way go into the pool of their new node, where they are counted.
  const auto keep = [&](const parcel& left) {
    if (left.what == parcel::kind::token) nodes_[left.to]->exchange().put_arrived(left.token);
  };
  for (; !queue_.empty(); queue_.pop())
    if (queue_.first().ticket == 0) keep(parcels_[queue_.first().index]);
  for (site& each : sites_)
    while (!each.arrived.empty()) keep(parcels_[parcels_.take_first(each.arrived)]);
  log_.close();
}

void sim_world::describe(world_statistics& to) const {
  const rare_dice* const mine = &dice_;
  to.probes = rare_probes("sim", {&mine, 1});
  to.complete = log_.problem == 0;
  auto own = std::make_shared<sim_statistics>();
  own->events = log_.events;
  own->event_log_hash = log_.hash;
  own->repeatable = repeatable_;
  own->pairs = traffic_.pairs();
  for (const pair_traffic& each : own->pairs) {
    own->network_messages += each.messages;
    own->network_bytes += each.bytes;
  }
  own->overflows = network_.overflows();
  own->interface_peak = interfaces_.peak();
  own->interface_overflows = interfaces_.overflows();
  to.report = std::move(own);
}

}  // namespace terrane
