// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/tcp_network.hpp"

#include <fmt/format.h>
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "terrane/base/clock.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/transport/tcp/socket_sleep.hpp"

namespace terrane {

namespace {

constexpr std::size_t write_bytes = std::size_t{64} << 10;  // then a sender writes by itself
constexpr int events_at_once = 32;
constexpr std::uint64_t direct_turns = 32;  // reads of the only connection between two looks
constexpr int reads_at_once = 8;

}  // namespace

tcp_network::tcp_network(const network_shape& shape, const identity& mine, admissions& admitted,
                         descriptor listener, std::vector<address> others, network_user& user)
    : shape_(shape),
      mine_(mine),
      others_(std::move(others)),
      user_(user),
      peers_(std::make_unique<peer[]>(shape.nodes)),
      events_(needed(epoll_create1(EPOLL_CLOEXEC))),
      admitted_(admitted),
      listener_(std::move(listener)) {
  for (node_id n = 0; n < shape.nodes; ++n) peers_[n].write_at = write_bytes;
  if (listener_) watch(EPOLL_CTL_ADD, listener_, EPOLLIN, source::listener, 0);
}

void tcp_network::watch(int operation, const descriptor& socket, std::uint32_t events, source what,
                        std::uint32_t which) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = static_cast<std::uint64_t>(what) << 32 | which;
  epoll_ctl(events_.number(), operation, socket.number(), &event);
}

// --- sending ---

void tcp_network::send(node_id there, std::uint16_t to, packed_head about, bytes_view head,
                       bytes_view body) {
  peer& its = peers_[there];
  const std::lock_guard hold(its.sending);
  if (its.gone) return;
  if (head.size + body.size > small_message_bytes_max)
    its.out.add_large(to, about, head, body, shape_.senders_write ? its.socket : nullptr);
  else
    its.out.add_message(to, about, head, body);
  if (its.out.bytes() >= its.write_at) {
    if (shape_.senders_write && its.socket) its.out.write(*its.socket);
    its.write_at = its.out.bytes() + write_bytes;
    count_unsent(its);
  }
  if (!its.to_flush.load(memory_order_relaxed)) wants_flush(its);
}

void tcp_network::wants_flush(peer& its) {
  its.to_flush.store(true, memory_order_seq_cst);
  to_flush_.store(true, memory_order_seq_cst);
}

/// A flag of a peer is set before the common one and cleared after it.
void tcp_network::flush() {
  if (!to_flush_.load(memory_order_seq_cst)) return;
  to_flush_.store(false, memory_order_seq_cst);
  for (node_id n = 0; n < shape_.nodes; ++n) {
    peer& its = peers_[n];
    if (its.to_flush.load(memory_order_seq_cst)) flush(n, its);
  }
}

void tcp_network::flush(node_id to, peer& its) {
  const std::lock_guard hold(its.sending);
  its.to_flush.store(false, memory_order_seq_cst);
  if (its.gone || its.out.empty()) return;
  if (!its.socket) {
    its.to_call.store(true, memory_order_relaxed);
    to_call_.store(true, memory_order_seq_cst);
    return;
  }
  const bool whole = its.out.write(*its.socket);
  its.write_at = its.out.bytes() + write_bytes;
  count_unsent(its);
  if (its.waits_for_room == whole) {
    its.waits_for_room = !whole;
    // A stalled connection has no input to report; hand_on() brings it back.
    watch(EPOLL_CTL_MOD, *its.socket, (its.stalled ? 0u : EPOLLIN) | (whole ? 0u : EPOLLOUT),
          source::link, to);
  }
  if (!whole) wants_flush(its);
}

void tcp_network::count_unsent(peer& its) {
  const std::uint64_t now = its.out.bytes();
  unsent_.fetch_add(now - its.unsent, memory_order_relaxed);
  its.unsent = now;
}

bool tcp_network::all_sent() {
  for (node_id n = 0; n < shape_.nodes; ++n) {
    peer& its = peers_[n];
    const std::lock_guard hold(its.sending);
    if (its.gone || its.out.empty()) continue;
    wants_flush(its);
    return false;
  }
  return true;
}

void tcp_network::lose(node_id which) {
  peer& its = peers_[which];
  const std::lock_guard hold(its.sending);
  its.gone = true;
  its.out.drop();
  count_unsent(its);
}

// --- the turn ---

/// With one connection and nothing else to expect, it is read without asking what is ready.
bool tcp_network::turn() {
  if (!turning_.try_lock()) return false;
  const std::lock_guard hold(turning_, std::adopt_lock);
  const std::uint64_t turns = turns_.load(memory_order_relaxed) + 1;
  turns_.store(turns, memory_order_relaxed);
  bool came = is_stalled() && retry_stalled();
  if (to_call_.load(memory_order_seq_cst)) call_wanted();
  if (open_ == 1 && greeting_ == 0 && turns % direct_turns != 0)
    came |= peers_[only_].link && !peers_[only_].stalled && read_from(only_);
  else
    came |= look(0);
  return came;
}

bool tcp_network::look(int wait_ms) {
  epoll_event events[events_at_once];
  const int ready = epoll_wait(events_.number(), events, events_at_once, wait_ms);
  bool came = false;
  for (int i = 0; i < ready; ++i) {
    if (events[i].data.u64 == socket_sleep::wake_up) continue;  // for whoever sleeps next
    const auto which = static_cast<std::uint32_t>(events[i].data.u64);
    switch (static_cast<source>(events[i].data.u64 >> 32)) {
      case source::listener: accept_calls(); break;
      case source::greeting:
        if (which < greetings_.size() && greetings_[which])
          greet(greetings_[which], source::greeting, which);
        break;
      case source::call:
        if (peers_[which].call) greet(peers_[which].call, source::call, which);
        break;
      case source::link:
        if ((events[i].events & EPOLLOUT) != 0) flush(which, peers_[which]);
        if ((events[i].events & ~EPOLLOUT) != 0 && peers_[which].link && !peers_[which].stalled)
          came |= read_from(which);
        break;
    }
  }
  if (greeting_ != 0) drop_late_greetings();
  return came;
}

// --- reading ---

bool tcp_network::read_from(node_id from) {
  peer& its = peers_[from];
  bool came = false;
  // Of what it has_unread() the kernel will not tell: that is read to its end.
  for (int i = 0; (i < reads_at_once || its.link->has_unread()) && its.link->read(); ++i) {
    came |= hand_on(from);
    if (its.stalled || !its.link || its.link->is_drained()) return came;
    if (TERRANE_RARE("tcp.reading_pauses", false) && !its.link->has_unread()) return came;
  }
  if (its.link->is_closed()) fail(from, its.link->problem());
  return came;
}

/// Hands whole frames to their processors. True if it handed on any.
bool tcp_network::hand_on(node_id from) {
  peer& its = peers_[from];
  frame_reader& in = its.link->in();
  bool any = false;
  for (;;) {
    const auto now = in.next();
    if (now == frame_reader::state::wants_more) return any;
    if (now == frame_reader::state::corrupt)
      return fail(from, fmt::format("brought {}", in.problem())), any;
    if (now == frame_reader::state::is_announced) {
      if (!shape_.is_here(in.large_to()) || !shape_.is_of(from, packed_head(in.large().packed)))
        return fail(from, "brought a large message for no processor of this node"), any;
      if (!read_large(its)) return stall(from, true), any;
      continue;
    }
    bool room;
    if (now == frame_reader::state::has_large) {
      const packed_head about(in.large().packed);
      room = in.block() ? user_.deliver_large(in.large_to(), about, {in.block(), in.large().size})
                        : user_.deliver_landed(in.large_to(), about, its.landed);
    } else {
      if (!is_sound(from, in.head(), in.data()))
        return fail(from, "brought messages that no runtime sends"), any;
      room = user_.deliver(in.head().to, in.data(), in.head().size);
    }
    if (!room) return stall(from, true), any;
    in.used();
    any = true;
  }
}

/// Decides where the bytes of the announced message go. False: not yet.
bool tcp_network::read_large(peer& its) {
  frame_reader& in = its.link->in();
  const bytes_view first = in.large_first();
  const landing at =
      user_.land(in.large_to(), packed_head(in.large().packed), first, in.large_body_bytes());
  if (at.where == landing::where::later) return false;
  if (at.where == landing::where::place) std::memcpy(&its.landed, first.data, sizeof its.landed);
  in.read_into(at.where == landing::where::place ? at.place : nullptr);
  return true;
}

/// True if the frame is for a processor of this node and holds messages of processors of that node.
bool tcp_network::is_sound(node_id from, const frame_head& head, const unsigned char* data) const {
  return head.kind == frame_kind::messages && shape_.is_here(head.to) &&
         shape_.are_of(from, data, head.size);
}

// --- when a ring is full ---

void tcp_network::stall(node_id from, bool so) {
  peer& its = peers_[from];
  if (its.stalled == so) return;
  const std::lock_guard hold(its.sending);  // flush() tells the kernel, too
  its.stalled = so;
  stalled_.fetch_add(so ? 1 : ~std::uint32_t{0}, memory_order_seq_cst);
  watch(EPOLL_CTL_MOD, its.link->socket(),
        (so ? 0u : EPOLLIN) | (its.waits_for_room ? EPOLLOUT : 0u), source::link, from);
}

bool tcp_network::retry_stalled() {
  bool came = false;
  for (node_id n = 0; n < shape_.nodes; ++n) {
    peer& its = peers_[n];
    if (!its.stalled) continue;
    stall(n, false);  // hand_on() says so again if there is no room yet
    came |= hand_on(n);
    if (its.link && !its.stalled && its.link->has_unread()) came |= read_from(n);
  }
  return came;
}

void tcp_network::fail(node_id from, const std::string& how) {
  peer& its = peers_[from];
  stall(from, false);
  {
    const std::lock_guard hold(its.sending);
    its.socket = nullptr;
    its.gone = true;
    its.out.drop();
    count_unsent(its);
    epoll_ctl(events_.number(), EPOLL_CTL_DEL, its.link->socket().number(), nullptr);
  }
  its.link->close(how);
  its.link.reset();
  --open_;
  user_.broken(from, how);
}

// --- after the run ---

std::vector<wire_statistics> tcp_network::figures() const {
  constexpr double second = 1e9;
  std::vector<wire_statistics> all;
  for (node_id n = 0; n < shape_.nodes; ++n) {
    const peer& its = peers_[n];
    const sent_figures sent = its.out.figures();
    if (!its.link && sent.frames == 0) continue;
    const wire_figures wire = its.link ? figures_of(its.link->socket()) : wire_figures{};
    all.push_back({.from = shape_.me,
                   .to = n,
                   .messages = sent.messages,
                   .frames = sent.frames,
                   .bytes = sent.bytes,
                   .writes = sent.writes,
                   .blocked_seconds = static_cast<double>(sent.blocked_ns) / second,
                   .round_trip_seconds = static_cast<double>(wire.round_trip_ns) / second,
                   .round_trip_min_seconds = static_cast<double>(wire.round_trip_min_ns) / second,
                   .resent = wire.resent});
  }
  return all;
}

}  // namespace terrane
