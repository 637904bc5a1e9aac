// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/sim.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>

#include "terrane/base/check.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

namespace {

std::uint64_t real_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

constexpr std::size_t stack_for_inline_children = std::size_t{4} << 20;

}  // namespace

struct sim_transport::agent {
  processor* self = nullptr;
  std::uint64_t clock = 0;
  std::uint64_t ticket = 0;  // of its one valid event; an event with an older one is void
  bool asleep = false, stopped = false;
  std::uint64_t idle_since = 0;
  std::deque<arrival> inbox;
};

struct sim_transport::arrival {
  enum class kind : std::uint8_t { message, note, token } what = kind::message;
  entry message_kind = entry::signal;
  int load = 0;
  std::uint32_t from = 0, to = 0;  // processors for a message, nodes otherwise
  note text;
  terrane_token token{};
  std::vector<unsigned char> data;
};

struct sim_transport::site {
  std::deque<arrival> arrived;
};

struct sim_transport::scheduled {
  std::uint64_t time, order;
  std::uint64_t ticket;  // 0: an arrival
  std::uint32_t index;   // the agent, or the place in in_flight_
  bool operator>(const scheduled& other) const {
    return time != other.time ? time > other.time : order > other.order;
  }
};

/// Every event, folded into one number (FNV-1a over its fields) and, if asked for, written out.
struct sim_transport::event_log {
  std::uint64_t hash = 0xcbf29ce484222325u, events = 0;
  std::FILE* file = nullptr;

  ~event_log() {
    if (file) std::fclose(file);
  }
  void add(const char* what, std::uint64_t time, std::uint64_t who, std::uint64_t first,
           std::uint64_t second) {
    ++events;
    for (const std::uint64_t field :
         {static_cast<std::uint64_t>(what[0]), time, who, first, second})
      hash = (hash ^ field) * 0x100000001b3u;
    if (file)
      std::fprintf(file, "%llu %s %llu %llu %llu\n", static_cast<unsigned long long>(time), what,
                   static_cast<unsigned long long>(who), static_cast<unsigned long long>(first),
                   static_cast<unsigned long long>(second));
  }
};

sim_transport::sim_transport(sim_options options)
    : options_(std::move(options)),
      network_(options_.costs, options_.nodes, options_.seed),
      log_(std::make_unique<event_log>()) {
  for (std::uint32_t i = 0; i < options_.nodes; ++i) sites_.push_back(std::make_unique<site>());
  if (!options_.log_file.empty()) log_->file = std::fopen(options_.log_file.c_str(), "w");
}

sim_transport::~sim_transport() = default;

void sim_transport::attach(std::span<node* const> nodes) { nodes_ = nodes; }

std::uint64_t sim_transport::now() { return current_ ? current_->clock : clock_; }

// --- what is sent ---

void sim_transport::post(node_id from, node_id to, arrival what) {
  const std::size_t bytes = what.what == arrival::kind::message ? 16 + what.data.size()
                            : what.what == arrival::kind::token ? sizeof(terrane_token) + 16
                                                                : sizeof(note) + 16;
  std::uint64_t when = now();
  if (from == to) {
    when += options_.costs.local_message_ns;
  } else {
    if (current_) when = current_->clock += options_.costs.send_overhead_ns;
    when = network_.arrival(from, to, bytes, when);
    ++messages_;
    bytes_ += bytes;
  }
  std::uint32_t place;
  if (free_in_flight_.empty()) {
    place = static_cast<std::uint32_t>(in_flight_.size());
    in_flight_.emplace_back();
  } else {
    place = free_in_flight_.back();
    free_in_flight_.pop_back();
  }
  in_flight_[place] = std::move(what);
  queue_.push_back({when, order_++, 0, place});
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void sim_transport::send(processor& from, processor_id to, entry kind, bytes_view head,
                         bytes_view body) {
  arrival what;
  what.message_kind = kind;
  what.from = from.number;
  what.to = to;
  what.data.resize(head.size + body.size);
  if (head.size != 0) std::memcpy(what.data.data(), head.data, head.size);
  if (body.size != 0) std::memcpy(what.data.data() + head.size, body.data, body.size);
  post(from.number / options_.processors_per_node, to / options_.processors_per_node,
       std::move(what));
}

void sim_transport::post_note(node& from, node_id to, const note& text, int load) {
  arrival what;
  what.what = arrival::kind::note;
  what.from = from.number();
  what.to = to;
  what.text = text;
  what.load = load;
  post(from.number(), to, std::move(what));
}

void sim_transport::post_token(node& from, node_id to, const terrane_token& token, int load) {
  arrival what;
  what.what = arrival::kind::token;
  what.from = from.number();
  what.to = to;
  what.token = token;
  what.load = load;
  post(from.number(), to, std::move(what));
}

// --- what arrives ---

void sim_transport::arrive(const scheduled& event) {
  arrival what = std::move(in_flight_[event.index]);
  free_in_flight_.push_back(event.index);
  log_->add(what.what == arrival::kind::message ? "message"
            : what.what == arrival::kind::token ? "token"
                                                : "note",
            clock_, what.to, what.from, what.data.size());
  if (what.what == arrival::kind::message) {
    agent& receiver = *agents_[what.to];
    receiver.inbox.push_back(std::move(what));
    receiver.self->notice();
    wake(*receiver.self);
    return;
  }
  const node_id at = what.to;
  sites_[at]->arrived.push_back(std::move(what));
  // A sleeping processor sees to it at once; otherwise whichever comes to its next turn first.
  for (std::uint32_t p = 0; p < options_.processors_per_node; ++p)
    if (wake(*agents_[at * options_.processors_per_node + p]->self)) return;
}

void sim_transport::poll(processor& here) {
  agent& mine = *agents_[here.number];
  while (!mine.inbox.empty()) {
    const arrival next = std::move(mine.inbox.front());
    mine.inbox.pop_front();
    if (next.from / options_.processors_per_node != here.home().number())
      mine.clock += options_.costs.receive_overhead_ns;
    handle(here, {next.message_kind, next.from, next.data.size(), next.data.data()});
  }
}

void sim_transport::take_arrivals(agent& whose) {
  auto& arrived = sites_[whose.self->home().number()]->arrived;
  while (!arrived.empty()) {
    const arrival next = std::move(arrived.front());
    arrived.pop_front();
    whose.clock += options_.costs.receive_overhead_ns;
    whose.self->times().poll += options_.costs.receive_overhead_ns;
    whose.clock += options_.costs.balance_ns;
    whose.self->times().balance += options_.costs.balance_ns;
    node& home = whose.self->home();
    if (next.what == arrival::kind::token)
      home.token_arrived(next.from, next.token, next.load);
    else
      home.note_arrived(next.from, next.text, next.load);
  }
}

bool sim_transport::wake(processor& sleeper) {
  agent& whose = *agents_[sleeper.number];
  if (!whose.asleep) return false;
  whose.asleep = false;
  schedule_turn(whose, std::max(whose.clock, now()));
  return true;
}

// --- time ---

void sim_transport::charge(const terrane_operation& operation, std::uint64_t count) {
  declared_ = true;
  const auto found = options_.costs.price_ps.find(operation.name);
  const std::uint64_t price =
      found == options_.costs.price_ps.end() ? operation.picoseconds : found->second;
  current_->clock += price * count / 1000;
}

void sim_transport::pay_for_turn(agent& whose, std::uint64_t fibers, std::uint64_t tokens,
                                 bool declared, std::uint64_t real) {
  whose.clock += fibers * options_.costs.fiber_ns + tokens * options_.costs.token_ns;
  whose.self->times().switching += fibers * options_.costs.fiber_ns;
  if (fibers != 0 && !declared) {
    whose.clock += real;
    repeatable_ = false;
  }
}

void sim_transport::schedule_turn(agent& whose, std::uint64_t when) {
  queue_.push_back({when, order_++, ++whose.ticket, whose.self->number});
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void sim_transport::turn(agent& whose) {
  processor& self = *whose.self;
  current_ = &whose;
  terrane_here = &self;
  if (clock_ > whose.clock) self.times().idle += clock_ - whose.clock;
  whose.clock = clock_;
  whose.asleep = false;
  take_arrivals(whose);

  const std::uint64_t fibers = self.fibers_executed(), tokens = self.tokens_generated();
  declared_ = false;
  const std::uint64_t started = real_ns();
  const bool ran = self.turn();
  const std::uint64_t real = real_ns() - started;
  pay_for_turn(whose, self.fibers_executed() - fibers, self.tokens_generated() - tokens, declared_,
               real);
  if (ran) {
    self.idle_ended();
    schedule_turn(whose, whose.clock);
  } else if (self.stopping()) {
    whose.stopped = true;
  } else {
    whose.clock += options_.costs.poll_ns;
    self.times().poll += options_.costs.poll_ns;
    const std::uint64_t again = self.while_idle(true);
    if (self.stopping() || self.has_work()) {
      schedule_turn(whose, whose.clock);
    } else {
      whose.asleep = true;
      if (again != timers::never) schedule_turn(whose, std::max(again, whose.clock + 1));
    }
  }
  log_->add("turn", clock_, self.number, whose.clock, self.fibers_executed());
  current_ = nullptr;
  terrane_here = nullptr;
}

void sim_transport::run(std::span<processor* const> processors) {
  for (processor* each : processors) {
    agents_.push_back(std::make_unique<agent>());
    agents_.back()->self = each;
    each->bind(stack_for_inline_children);
  }
  for (auto& each : agents_) schedule_turn(*each, 0);
  std::size_t running = agents_.size();
  while (running != 0) {
    TERRANE_CHECK(!queue_.empty());
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const scheduled next = queue_.back();
    queue_.pop_back();
    if (next.ticket != 0 && next.ticket != agents_[next.index]->ticket) continue;  // void
    clock_ = next.time;
    if (next.ticket == 0) {
      arrive(next);
    } else if (!agents_[next.index]->stopped) {
      turn(*agents_[next.index]);
      if (agents_[next.index]->stopped) --running;
    }
  }
  terrane_here = nullptr;
}

void sim_transport::describe(world_statistics& to) const {
  to.simulated = true;
  to.events = log_->events;
  to.event_log_hash = log_->hash;
  to.repeatable = repeatable_;
  to.network_messages = messages_;
  to.network_bytes = bytes_;
  to.overflows = network_.overflows();
}

}  // namespace terrane
