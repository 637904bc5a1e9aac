// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/wired_world.hpp"

#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "terrane/base/check.hpp"
#include "terrane/base/clock.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/core/token.hpp"
#include "terrane/node_data/node_data.hpp"
#include "terrane/transport/looking_sleep.hpp"
#include "terrane/transport/moving_stacks.hpp"
#include "terrane/transport/tcp/frame.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t unsent_bytes_max = std::uint64_t{4} << 20;   // beyond this no fiber runs
constexpr std::uint64_t landed_bytes_min = std::uint64_t{16} << 10;  // less is copied instead

}  // namespace

/// Places are numbered as in the whole machine; only this node's are ever touched.
result<std::unique_ptr<wired_world>> wired_world::make(wired_line& line, const network_maker& wires,
                                                       const wire_options& about,
                                                       crew_options how) {
  const std::uint32_t each = about.processors_per_node;
  own_places mapped = map_places(line.nodes() * each);
  if (!mapped) return error{"there is no memory for the rings of its processors"};
  make_places(mapped.get() + place_bytes * line.number() * each, each);
  return std::unique_ptr<wired_world>(
      new wired_world(line, wires, about, std::move(how), std::move(mapped)));
}

wired_world::wired_world(wired_line& line, const network_maker& wires, const wire_options& about,
                         crew_options how, own_places memory)
    : world({.wire = *this, .crew = crew_, .neighbours = this, .losses = this}),
      rings(crew_, this, memory.get(), line.nodes() * about.processors_per_node),
      memory_(std::move(memory)),
      line_(line),
      facts_(line.facts()),
      about_(about),
      me_(line.number()),
      each_(about.processors_per_node),
      memories_(each_),
      senders_(each_),
      why_threads_stay_(find_why_threads_stay()),
      sockets_(*this),
      crew_(std::move(how), parkers(memory_.get()), [this] { return gather(); }),
      network_(wires({.me = me_,
                      .nodes = line.nodes(),
                      .processors_per_node = each_,
                      .senders_write = about.progress != progress_form::modules},
                     *this)),
      progress_(network_->takes_any_thread() ? about.progress : progress_form::poll) {
  crew_.add(*this);
  crew_.add(sockets_);
  for (std::uint32_t p = 0; p < each_ && polls(); ++p)
    if (const int events = network_->descriptor_to_wait_on(); events >= 0)
      sleeps_.push_back(std::make_shared<socket_sleep>(events, each_ == 1));
    else
      sleeps_.push_back(std::make_shared<looking_sleep>(*network_));
}

/// Until all nodes have come here, connections stay: the end of the run may still be on its way.
wired_world::~wired_world() {
  line_.on_loss({});
  line_.finish();
  network_->close();
  drop_large_left();
}

void wired_world::describe(world_statistics& to) const {
  to.probes = crew_.probes();
  to.wires = network_->figures();
}

/// A thread moves as the bytes of its stack, which hold addresses of code and of the stack itself.
const char* wired_world::find_why_threads_stay() const {
  if (const char* const why = why_builds_keep_threads()) return why;
  const node_facts& mine = facts_[me_];
  for (const node_facts& each : facts_) {
    if (each.stacks == 0) return "stays: a node has no room for stacks that move";
    if (each.stacks != mine.stacks || each.layout != mine.layout)
      return "stays: each node has its code at addresses of its own";
  }
  return nullptr;
}

// --- the run ---

void wired_world::begin(std::span<processor* const> processors) {
  processors_ = processors;
  rings::begin(processors);
}

std::uint64_t wired_world::gather() {
  if (about_.eager)
    if (auto connected = network_->connect_all(); !connected) {
      std::fprintf(stderr, "terrane: node %u on %s: %s\n", me_, facts_[me_].host.c_str(),
                   connected.problem().c_str());
      std::_Exit(exit_node_lost);
    }
  line_.await_begin();
  line_.on_loss([this](node_id lost) { network_->lose(lost); });
  for (processor* each : processors_)
    each->to_node_0 = static_cast<std::ptrdiff_t>(facts_[0].image - executable_start());
  move_machine_pointers(*processors_[0]);
  threads_.emplace(*network_, progress_, each_, about_.watch);
  line_.enter(node_phase::running);
  return monotonic_ns();
}

// --- sending ---

void wired_world::send(processor& from, processor_id to, entry kind, bytes_view head,
                       bytes_view body) {
  if (const node_id there = to / each_; there == me_)
    rings::send(from, to, kind, head, body);
  else
    send_to_node(from, there, static_cast<std::uint16_t>(to), kind, head, body);
}

void wired_world::send_to_node(processor& from, node_id to, std::uint16_t target, entry kind,
                               bytes_view head, bytes_view body) {
  const std::size_t size = head.size + body.size;
  const bool large = size > small_message_bytes_max;
  network_->send(to, target, {kind, false, from.number, large ? 0 : size, from.sends_for()}, head,
                 body);
  bool& has_sent = senders_[from.number - first()].has_sent;
  if (has_sent) return;
  has_sent = true;
  from.notice();  // to write it at the next poll
}

/// Only a processor sends, so that `mover` is never null in this world.
void wired_world::post_note(processor* mover, node& from, node_id to, const note& what, int load) {
  TERRANE_CHECK(mover);
  const note_request request{from.number(), load, what};
  send_to_node(*mover, to, any_processor, entry::note, {&request, sizeof request}, {});
}

void wired_world::post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                             const load_hint& hint) {
  TERRANE_CHECK(mover);
  if (has(*token.function, carries_memory)) {
    mover->quiescence().received();  // the token, which was counted when it came into a pool
    return static_cast<const carrying_kind&>(*token.function).send(token, to);
  }
  const token_request request{entry_of(*token.function), from.number(), hint};
  send_to_node(*mover, to, any_processor, entry::token, {&request, sizeof request},
               {arguments_of(token), token.function->args_bytes});
  drop_token(token);
}

/// A processor whose sockets take too little runs no fiber, but takes what comes, so that two that
/// flood each other both go on.
void wired_world::poll(processor& here) {
  rings::poll(here);
  senders_[here.number - first()].has_sent = false;
  for (;;) {
    if (polls()) {
      network_->flush();
      if (network_->turn()) rings::take(here);
    } else {
      threads_->has_sent();
    }
    if (network_->unsent() <= unsent_bytes_max || here.stopping()) return;
    rings::take(here);
    sched_yield();
  }
}

// --- receiving ---

/// What handlers answer to messages is written at once: whoever asked may have nothing else to do.
void wired_world::take_and_answer(processor& here) {
  rings::take(here);
  if (polls() && senders_[here.number - first()].has_sent) network_->flush();
}

/// Notes and tokens go to an idle processor, or to the first if none is idle.
bool wired_world::deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) {
  processor_id target = to;
  if (to == any_processor) {
    target = first();
    for (processor* each : processors_)
      if (each->published().idle) {
        target = each->number;
        break;
      }
  }
  return push({target, record, bytes});
}

/// Data that is put goes to its place at once, if the thread that reads the wire is the processor
/// that owns the place: then it is known to be memory, and the slot to be of a live activation,
/// before the first byte is written. What came before it is handled before, so that messages keep
/// their order; while the bytes come, nobody knows of them.
landing wired_world::land(std::uint16_t to, packed_head about, bytes_view head,
                          std::uint64_t body_bytes) {
  put_request request;
  if (about.kind() != entry::put || head.size != sizeof request || body_bytes < landed_bytes_min ||
      to == any_processor || !terrane_is_processor() || here().number != to)
    return {};
  processor& owner = here();
  std::memcpy(&request, head.data, sizeof request);
  if (request.done == 0 || owner.stopping() || terrane_owner_of(request.to) != to) return {};
  if (rings::has_news(owner)) return {landing::where::later};
  if (processor_of(request.done) == to && !owner.is_live(request.done)) return {};
  void* const place = terrane_address_in(request.to);
  if (!memories_[to - first()].holds(place, body_bytes, true)) return {};
  return {landing::where::place, place};
}

memory_range wired_world::owned(processor& here, const void* address, std::size_t bytes,
                                bool to_write) {
  return memories_[here.number - first()].around(address, bytes, to_write);
}

// --- idleness ---

bool wired_world::sockets::has_news(const processor&) {
  return of_.polls() && of_.network_->turn();
}

bool wired_world::sockets::prepare_sleep(processor&) {
  if (of_.polls()) {
    of_.network_->flush();
    if (of_.network_->turn() || of_.network_->is_stalled() || of_.network_->wants_turn())
      return false;
  } else {
    of_.threads_->has_sent();
  }
  of_.threads_->sleeps(true);
  return true;
}

void wired_world::sockets::end_sleep(processor&) { of_.threads_->sleeps(false); }

sleeping_place* wired_world::sockets::sleeps_on(processor& here) {
  return of_.polls() ? of_.sleeps_[here.number - of_.first()].get() : nullptr;
}

bool wired_world::sockets::finish(processor&) {
  if (!of_.polls()) {
    of_.threads_->has_sent();
    return of_.network_->all_sent();
  }
  of_.network_->flush();
  of_.network_->turn();
  return of_.network_->all_sent();
}

}  // namespace terrane
