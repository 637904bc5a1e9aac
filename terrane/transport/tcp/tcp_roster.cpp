// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/tcp_roster.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "terrane/base/clock.hpp"

namespace terrane {

namespace {

constexpr std::size_t callers_max = 64;
constexpr std::size_t share_bytes_max = std::size_t{64} << 20;

}  // namespace

result<std::unique_ptr<tcp_roster>> tcp_roster::make(const tcp_roster_options& options) {
  auto secret = job_secret::mint();
  if (!secret) return error{secret.problem()};
  auto where = address::find(options.interface, 0);
  if (!where) return error{where.problem()};
  auto listener = listen_at(where.value(), static_cast<int>(options.nodes) + 16);
  if (!listener) return error{listener.problem()};
  const address bound = address::local_of(listener.value());
  return std::unique_ptr<tcp_roster>(
      new tcp_roster(options, std::move(secret).value(), bound, std::move(listener).value()));
}

tcp_roster::tcp_roster(const tcp_roster_options& options, job_secret secret, address where,
                       descriptor listener)
    : options_(options),
      secret_(std::move(secret)),
      where_(where),
      listener_(std::move(listener)),
      who_(launcher_node, secret_,
           {.build = options.build,
            .host = options.host,
            .address = where.host(),
            .port = where.port(),
            .version = wire_version,
            .process = static_cast<std::uint32_t>(getpid())},
           options.secured),
      admitted_(launcher_node, options.nodes),
      nodes_(options.nodes) {}

void tcp_roster::leave_to_node() {
  listener_.close();
  callers_.clear();
  for (node_state& each : nodes_) each.line.reset();
}

template <class Condition>
bool tcp_roster::all(Condition&& is) const {
  return std::all_of(nodes_.begin(), nodes_.end(), is);
}

std::string tcp_roster::host_of(node_id n) const {
  const auto& line = nodes_[n].line;
  if (line) return line->link.facts().host;
  return n < options_.hosts.size() ? options_.hosts[n] : options_.host;
}

int tcp_roster::process_of(node_id n) const {
  const auto& line = nodes_[n].line;
  return line ? static_cast<int>(line->link.facts().process) : -1;
}

// --- who calls ---

void tcp_roster::accept_calls() {
  if (!listener_) return;
  while (callers_.size() < callers_max + nodes()) {
    descriptor socket = accept_call(listener_);
    if (!socket) return;
    callers_.push_back(std::make_unique<control_link>(
        connection::answer(who_, admitted_, std::move(socket), carries_control)));
  }
}

void tcp_roster::greet_callers() {
  const std::uint64_t now = monotonic_ns();
  for (auto& each : callers_) {
    connection& link = each->link;
    link.greet();
    if (!link.is_open() && !link.is_closed() && now - link.began_ns() > greeting_ns_max)
      link.give_up(refusal::late);
    if (link.is_open()) nodes_[link.peer()].line = std::move(each);
  }
  std::erase_if(callers_, [](const auto& each) { return !each || each->link.is_closed(); });
  if (!told_members_ && all([](const node_state& each) { return each.line != nullptr; })) {
    told_members_ = true;
    listener_.close();
    tell_members();
  }
}

void tcp_roster::tell_members() {
  std::vector<unsigned char> blocks;
  for (const node_state& each : nodes_) {
    const auto block = each.line->link.facts().encode();
    blocks.insert(blocks.end(), block.begin(), block.end());
  }
  tell_all(frame_kind::members, {blocks.data(), blocks.size()});
}

void tcp_roster::tell_all(frame_kind kind, bytes_view data) {
  for (node_state& each : nodes_)
    if (each.line && each.line->link.is_open()) each.line->send(kind, data);
}

// --- what nodes say ---

bool tcp_roster::take(node_id from, const frame_head& head, const unsigned char* data) {
  node_state& its = nodes_[from];
  switch (head.kind) {
    case frame_kind::ready: its.ready = true; return true;
    case frame_kind::finished: its.finished = true; return true;
    case frame_kind::share:
      its.share.append(reinterpret_cast<const char*>(data), head.size);
      return its.share.size() <= share_bytes_max;
    case frame_kind::beat: {
      const auto said = record_in<beat_record>(head, data);
      if (!said || said->phase > static_cast<std::uint32_t>(node_phase::ending)) return false;
      its.signs = {static_cast<node_phase>(said->phase), its.signs.beats + 1, said->tokens,
                   static_cast<int>(said->busy)};
      return true;
    }
    case frame_kind::clock_asked: {
      auto said = record_in<clock_record>(head, data);
      if (!said) return false;
      said->launcher = monotonic_ns();
      its.line->send(frame_kind::clock_told, *said);
      return true;
    }
    case frame_kind::trouble: {
      const auto said = record_in<trouble_record>(head, data);
      if (!said || said->node >= nodes()) return false;
      const std::string how(reinterpret_cast<const char*>(data) + sizeof *said,
                            head.size - sizeof *said);
      troubles_.push_back({from, said->node,
                           fmt::format("its connection to node {} on {} {}", said->node,
                                       host_of(said->node), how)});
      return true;
    }
    default: return false;
  }
}

void tcp_roster::look() {
  accept_calls();
  greet_callers();
  for (node_id n = 0; n < nodes(); ++n)
    if (control_link* const line = nodes_[n].line.get()) {
      const bool was_open = line->link.is_open();
      line->take(
          [&](const frame_head& head, const unsigned char* data) { return take(n, head, data); });
      if (was_open && line->link.is_closed() && !nodes_[n].finished && !nodes_[n].lost)
        troubles_.push_back({n, n, "its connection to the launcher " + line->link.problem(),
                             line->link.is_damaged()});
      line->flush();
    }
  if (began_ns_ == 0 && told_members_ && all([](const node_state& each) { return each.ready; })) {
    began_ns_ = monotonic_ns();
    tell_all(frame_kind::begin);
  }
  if (!told_to_leave_ && all([](const node_state& each) { return each.finished || each.lost; })) {
    told_to_leave_ = true;
    tell_all(frame_kind::leave);
  }
  if (const std::uint64_t now = monotonic_ns();
      now - said_alive_ns_ > options_.heartbeat_ms * 500'000) {
    said_alive_ns_ = now;
    tell_all(frame_kind::alive);
  }
}

void tcp_roster::add_waits(std::vector<pollfd>& to) const {
  if (listener_) to.push_back({listener_.number(), POLLIN, 0});
  const auto add = [&](const control_link& line) {
    if (line.link.is_closed()) return;
    to.push_back({line.link.socket().number(),
                  static_cast<short>(POLLIN | (line.wants_to_write() ? POLLOUT : 0)), 0});
  };
  for (const auto& each : callers_) add(*each);
  for (const node_state& each : nodes_)
    if (each.line) add(*each.line);
}

bool tcp_roster::may_say_more(node_id n) const {
  const node_state& its = nodes_[n];
  if (options_.by_hand && !its.line) return true;
  return its.line && its.line->link.is_open() && !its.finished && !its.lost;
}

void tcp_roster::lose(node_id n) {
  nodes_[n].lost = true;
  const lost_record record{n};
  tell_all(frame_kind::lost, {&record, sizeof record});
}

std::vector<roster_trouble> tcp_roster::troubles() { return std::exchange(troubles_, {}); }

}  // namespace terrane
