// SPDX-License-Identifier: Apache-2.0
// tcp_network_calls.cpp: how connections with other nodes begin.
#include <fmt/format.h>
#include <sys/epoll.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "terrane/base/clock.hpp"
#include "terrane/transport/tcp/tcp_network.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t greetings_max = 128;  // half-open connections, beyond one per node

}  // namespace

void tcp_network::accept_calls() {
  while (descriptor socket = accept_call(listener_)) {
    auto place = std::find(greetings_.begin(), greetings_.end(), nullptr);
    if (place == greetings_.end()) place = greetings_.insert(place, nullptr);
    *place = std::make_unique<connection>(
        connection::answer(mine_, admitted_, std::move(socket), carries_messages));
    const auto which = static_cast<std::uint32_t>(place - greetings_.begin());
    if (greeting_ >= greetings_max + shape_.nodes) {
      (*place)->give_up(refusal::too_many);
      place->reset();
      continue;
    }
    ++greeting_;
    watch(EPOLL_CTL_ADD, (*place)->socket(), EPOLLIN, source::greeting, which);
    greet(*place, source::greeting, which);
  }
}

void tcp_network::call_wanted() {
  to_call_.store(false, memory_order_seq_cst);
  for (node_id n = 0; n < shape_.nodes; ++n) {
    peer& its = peers_[n];
    if (!its.to_call.load(memory_order_relaxed)) continue;
    its.to_call.store(false, memory_order_relaxed);
    if (its.link || its.call || !admitted_.begin_call(n)) continue;
    its.call = std::make_unique<connection>(
        connection::call(mine_, admitted_, n, others_[n], carries_messages));
    ++greeting_;
    if (!its.call->is_closed())
      watch(EPOLL_CTL_ADD, its.call->socket(), EPOLLIN | EPOLLOUT, source::call, n);
    greet(its.call, source::call, n);
  }
}

/// Goes on with the handshake of one connection, and takes it out of its place at the end.
void tcp_network::greet(std::unique_ptr<connection>& one, source what, std::uint32_t which) {
  one->greet();
  if (!one->is_open() && !one->is_closed())
    return watch(EPOLL_CTL_MOD, one->socket(), EPOLLIN | (one->wants_to_write() ? EPOLLOUT : 0u),
                 what, which);
  --greeting_;
  if (one->is_open()) return opened(std::move(one));
  if (what == source::call) return call_failed(which);
  one.reset();
}

void tcp_network::opened(std::unique_ptr<connection> made) {
  const node_id with = made->peer();
  peer& its = peers_[with];
  its.link = std::move(made);
  ++open_;
  only_ = with;
  watch(EPOLL_CTL_MOD, its.link->socket(), EPOLLIN, source::link, with);
  {
    const std::lock_guard hold(its.sending);
    if (!its.gone) its.socket = &its.link->socket();
  }
  flush(with, its);
  hand_on(with);  // bytes that came with the end of the handshake
  if (its.link && !its.stalled && its.link->has_unread()) read_from(with);
  if (is_complete()) listener_.close();  // nobody else belongs here
}

void tcp_network::call_failed(node_id to) {
  const auto failed = std::move(peers_[to].call);
  if (failed->is_crossed() || peers_[to].link) return;  // the other's call is the connection
  admitted_.end_call(to);
  user_.broken(to, fmt::format("could not be made: {}", failed->problem()));
}

void tcp_network::drop_late_greetings() {
  const std::uint64_t now = monotonic_ns();
  const auto drop_if_late = [&](std::unique_ptr<connection>& one) {
    if (!one || now - one->began_ns() < greeting_ns_max) return false;
    one->give_up(refusal::late);
    --greeting_;
    return true;
  };
  for (auto& each : greetings_)
    if (drop_if_late(each)) each.reset();
  for (node_id n = 0; n < shape_.nodes; ++n)
    if (drop_if_late(peers_[n].call)) call_failed(n);
}

result<void> tcp_network::connect_all() {
  const std::lock_guard hold(turning_);
  for (node_id n = shape_.me + 1; n < shape_.nodes; ++n)
    peers_[n].to_call.store(true, memory_order_relaxed);
  call_wanted();
  const std::uint64_t until = monotonic_ns() + 2 * greeting_ns_max;
  while (!is_complete()) {
    look(10);
    for (node_id n = 0; n < shape_.nodes; ++n)
      if (n != shape_.me && !peers_[n].link && monotonic_ns() > until)
        return error{
            fmt::format("node {} at {} was not connected in time", n, others_[n].to_text())};
  }
  listener_.close();  // a run of one node is complete without a call
  return {};
}

}  // namespace terrane
