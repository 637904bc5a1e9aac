// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/carried/carried_network.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "terrane/base/clock.hpp"

namespace terrane {

namespace {

/// Few nodes have many receives each.
std::uint32_t window_for(std::uint32_t nodes) { return nodes <= 32 ? 8 : 4; }

}  // namespace

carried_network::carried_network(const terrane_carrier& carrier, terrane_carrier_handle among,
                                 const network_shape& shape, network_user& user)
    : carrier_(carrier),
      among_(among),
      shape_(shape),
      user_(user),
      any_thread_(carrier.takes_any_thread() != 0),
      maker_(std::this_thread::get_id()),
      window_(window_for(shape.nodes)),
      links_(std::make_unique<link[]>(shape.nodes)),
      awaited_(shape.nodes, carrier.null_request),
      returns_(shape.nodes, carrier.null_request) {
  for (node_id n = 0; n < shape_.nodes; ++n) {
    link& its = links_[n];
    its.credits = window_;
    for (auto& each : its.return_requests) each = carrier_.null_request;
    if (n == shape_.me) continue;
    its.receives.assign(window_, carrier_.null_request);
    for (std::uint32_t i = 0; i < window_; ++i) {
      its.buffers.push_back(std::make_unique_for_overwrite<unsigned char[]>(batch::bytes_max));
      post(n, its, i);
    }
    awaited_[n] = std::exchange(its.receives[0], carrier_.null_request);
    expect(carrier_.receive(among_, &its.return_come, sizeof its.return_come, static_cast<int>(n),
                            return_tag, &returns_[n]),
           n);
  }
}

carried_network::~carried_network() {
  for (node_id n = 0; n < shape_.nodes; ++n) {
    for (auto& each : links_[n].receives) carrier_.cancel(&each);
    carrier_.cancel(&awaited_[n]);
    carrier_.cancel(&returns_[n]);
    std::free(links_[n].block);
  }
}

/// A node that has taken the last batch of this one, and sent its own, may be gone.
void carried_network::expect(int error, node_id with) {
  if (error == 0 || links_[with].lost || (closing_ && links_[with].heard_last)) return;
  if (std::exchange(links_[with].failed, true)) return;
  char text[512] = "";
  carrier_.say(error, text, sizeof text);
  user_.broken(with, fmt::format("failed in {}: {}", carrier_.library, text));
}

// --- sending ---

void carried_network::send(node_id there, std::uint16_t to, packed_head about, bytes_view head,
                           bytes_view body) {
  link& its = links_[there];
  bool much;
  {
    const std::lock_guard hold(its.sending);
    if (its.ended) return;
    ++its.messages;
    if (head.size + body.size > small_message_bytes_max)
      its.out.add_large(to, about, head, body);
    else
      its.out.add_message(to, about, head, body);
    much = its.out.bytes() >= batch::bytes_max;
  }
  if (!its.to_flush.load(memory_order_relaxed)) {
    its.to_flush.store(true, memory_order_seq_cst);
    to_flush_.store(true, memory_order_seq_cst);
  }
  if (much && shape_.senders_write) flush();
}

template <class Use>
bool carried_network::take_turn(Use&& use) {
  if (!may_serve()) return false;
  bool came = false;
  do {
    if (!turning_.try_lock()) return came;
    const std::lock_guard hold(turning_, std::adopt_lock);
    came |= use();
    push_wanted();
  } while (to_flush_.load(memory_order_seq_cst));
  return came;
}

void carried_network::flush() {
  if (!to_flush_.load(memory_order_seq_cst)) return;
  take_turn([] { return false; });
}

/// A flag of a link is raised before the common one and lowered after it.
void carried_network::push_wanted() {
  if (!to_flush_.load(memory_order_relaxed)) return;
  to_flush_.store(false, memory_order_seq_cst);
  for (node_id n = 0; n < shape_.nodes; ++n)
    if (links_[n].to_flush.load(memory_order_seq_cst)) push(n, links_[n]);
}

/// Without credits the batches stay; take_returns() and hand_on() come back to them.
void carried_network::push(node_id to, link& its) {
  its.to_flush.store(false, memory_order_seq_cst);
  while (its.credits != 0) {
    batch next;
    {
      const std::lock_guard hold(its.sending);
      if (its.out.empty()) break;
      next = its.out.take();
    }
    if (--its.credits <= window_ / 2) starving_ = true;
    launch(to, its, std::move(next));
  }
  count_unsent(its);
}

void carried_network::launch(node_id to, link& its, batch&& one) {
  const batch_head head{its.owed, its.said_last ? 1u : 0u, its.said_last ? its.returns_sent : 0};
  its.owed = 0;
  std::memcpy(one.data.get(), &head, sizeof head);
  flight now{std::move(one), {}};
  const auto start = [&](const unsigned char* data, std::size_t bytes, carried_tag how) {
    terrane_carrier_handle request = carrier_.null_request;
    expect(carrier_.send(among_, data, bytes, static_cast<int>(to), how, &request), to);
    int done = 0;
    expect(carrier_.test(&request, &done, nullptr), to);
    if (!done) now.requests.push_back(request);
    ++its.writes;
  };
  const batch& what = now.what;
  start(what.data.get(), what.end, batch_tag);
  for (std::size_t at = 0; at < what.large_bytes; at += piece_bytes_max)
    start(what.large.get() + at, std::min(piece_bytes_max, what.large_bytes - at), large_tag);
  ++its.batches;
  its.bytes += what.bytes();
  if (now.requests.empty()) {
    const std::lock_guard hold(its.sending);
    return its.out.give_back(std::move(now.what));
  }
  its.flying_bytes += what.bytes();
  its.flights.push_back(std::move(now));
  ++flying_;
  moves(1);
}

/// Takes back what has been sent.
void carried_network::reap() {
  for (node_id n = 0; n < shape_.nodes && flying_ != 0; ++n) {
    link& its = links_[n];
    while (!its.flights.empty()) {
      flight& oldest = its.flights.front();
      while (!oldest.requests.empty()) {
        int done = 0;
        expect(carrier_.test(&oldest.requests.back(), &done, nullptr), n);
        if (!done) break;
        oldest.requests.pop_back();
      }
      if (!oldest.requests.empty()) break;
      its.flying_bytes -= oldest.what.bytes();
      {
        const std::lock_guard hold(its.sending);
        its.out.give_back(std::move(oldest.what));
      }
      its.flights.pop_front();
      --flying_;
      moves(-1);
      count_unsent(its);
    }
  }
}

void carried_network::count_unsent(link& its) {
  std::uint64_t now = its.flying_bytes;
  {
    const std::lock_guard hold(its.sending);
    now += its.out.bytes();
  }
  const bool blocked = its.credits == 0 && now != 0;
  if (blocked && its.blocked_since_ns == 0) its.blocked_since_ns = monotonic_ns();
  if (!blocked && its.blocked_since_ns != 0)
    its.blocked_ns += monotonic_ns() - std::exchange(its.blocked_since_ns, 0);
  if (now == its.unsent) return;
  unsent_.fetch_add(now - its.unsent, memory_order_relaxed);
  its.unsent = now;
}

/// What the carrier still has may need turns of this node.
bool carried_network::all_sent() {
  if (!turning_.try_lock()) return false;
  const std::lock_guard turn(turning_, std::adopt_lock);
  if (flying_ != 0) return false;
  for (node_id n = 0; n < shape_.nodes; ++n) {
    link& its = links_[n];
    const std::lock_guard hold(its.sending);
    if (!its.out.empty()) return false;
  }
  return true;
}

void carried_network::lose(node_id which) {
  links_[which].to_lose.store(true, memory_order_relaxed);
  to_lose_.store(true, memory_order_release);
}

void carried_network::lose_wanted() {
  to_lose_.exchange(false, memory_order_acquire);
  for (node_id n = 0; n < shape_.nodes; ++n) {
    link& its = links_[n];
    if (its.lost || !its.to_lose.load(memory_order_relaxed)) continue;
    its.lost = true;
    stall(its, false);
    if (carrier_.lose) carrier_.lose(among_, static_cast<int>(n));
    end_sending(its);
  }
}

/// What waits would be thrown away there, and waits for credits that do not come.
void carried_network::end_sending(link& its) {
  {
    const std::lock_guard hold(its.sending);
    its.ended = true;
    its.out.drop();
  }
  count_unsent(its);
}

// --- credits ---

/// Of at most two such messages that the other has not taken, the third place is free.
void carried_network::return_credits(node_id to, link& its) {
  if (its.owed < window_ / 2 || its.said_last) return;
  if (its.credits != 0) {
    const std::lock_guard hold(its.sending);
    if (!its.out.empty()) return;  // they travel with it
  }
  const std::uint64_t which = its.returns_sent++ % link::returns_at_once;
  for (int done = 0; done == 0;)
    expect(carrier_.test(&its.return_requests[which], &done, nullptr), to);
  its.return_data[which] = std::exchange(its.owed, 0);
  expect(carrier_.send(among_, &its.return_data[which], sizeof its.return_data[which],
                       static_cast<int>(to), return_tag, &its.return_requests[which]),
         to);
}

/// Credits that came alone are asked for only by who has few.
void carried_network::take_returns() {
  starving_ = false;
  for (node_id n = 0; n < shape_.nodes; ++n) {
    link& its = links_[n];
    if (n == shape_.me || (its.credits > window_ / 2 && !closing_)) continue;
    for (int done = 1; done != 0;) {
      expect(carrier_.test(&returns_[n], &done, nullptr), n);
      if (!done) break;
      its.credits += static_cast<std::uint32_t>(its.return_come);
      ++its.returns_come;
      expect(carrier_.receive(among_, &its.return_come, sizeof its.return_come, static_cast<int>(n),
                              return_tag, &returns_[n]),
             n);
    }
    starving_ |= its.credits <= window_ / 2;
    if (!closing_ && its.credits != 0) push(n, its);
  }
}

// --- the turn ---

bool carried_network::turn() {
  return take_turn([this] {
    turns_.store(turns_.load(memory_order_relaxed) + 1, memory_order_relaxed);
    if (to_lose_.load(memory_order_relaxed)) lose_wanted();
    bool came = is_stalled() && retry_stalled();
    came |= receive();
    if (flying_ != 0) reap();
    if (starving_) take_returns();
    if (!came && to_post_ != 0) post_taken();
    return came;
  });
}

// --- the end ---

bool carried_network::is_closed(const link& its) const {
  if (its.lost) return true;
  return its.said_last && its.heard_last && its.flights.empty() && its.at == its.end &&
         its.returns_come == its.returns_announced;
}

void carried_network::close() {
  const std::lock_guard hold(turning_);
  if (std::exchange(closing_, true)) return;
  for (std::uint32_t rounds = 0;; ++rounds) {
    bool closed = true;
    if (to_lose_.load(memory_order_relaxed)) lose_wanted();
    retry_stalled();
    receive();
    post_taken();
    reap();
    take_returns();
    for (node_id n = 0; n < shape_.nodes; ++n) {
      link& its = links_[n];
      if (n == shape_.me || its.lost) continue;
      if (!std::exchange(its.said_last, true)) launch(n, its, its.out.make());
      closed = closed && is_closed(its);
    }
    if (closed) break;
    if (rounds < 1000)
      sched_yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  for (node_id n = 0; n < shape_.nodes; ++n)
    for (auto& each : links_[n].return_requests)
      for (int done = 0; done == 0;) expect(carrier_.test(&each, &done, nullptr), n);
}

std::vector<wire_statistics> carried_network::figures() const {
  std::vector<wire_statistics> all;
  for (node_id n = 0; n < shape_.nodes; ++n)
    if (const link& its = links_[n]; its.batches != 0)
      all.push_back({.from = shape_.me,
                     .to = n,
                     .messages = its.messages,
                     .frames = its.batches,
                     .bytes = its.bytes,
                     .writes = its.writes,
                     .blocked_seconds = static_cast<double>(its.blocked_ns) / 1e9});
  return all;
}

}  // namespace terrane
