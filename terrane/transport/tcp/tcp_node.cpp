// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/tcp_node.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "terrane/base/clock.hpp"
#include "terrane/base/code_layout.hpp"
#include "terrane/base/signals_blocked.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t ns_per_ms = 1'000'000;
constexpr std::uint64_t joining_ns_max = 8'000'000'000;
constexpr int clock_burst = 8;  // exchanges: the quickest of them counts
constexpr std::uint64_t clock_interval_ns = 10'000'000'000;
constexpr auto clock_patience = std::chrono::milliseconds(300);  // at the end of the run
constexpr std::size_t share_piece_bytes = std::size_t{512} << 10;

}  // namespace

// --- joining ---

tcp_node::tcp_node(const tcp_invitation& invitation, const job_secret& secret, node_facts facts,
                   descriptor listener, std::unique_ptr<moving_stacks> stacks)
    : invitation_(invitation),
      who_(invitation.node, secret, std::move(facts), invitation.secured),
      admitted_(invitation.node, invitation.nodes),
      listener_(std::move(listener)),
      stacks_(std::move(stacks)),
      lost_(std::make_unique<atomic<bool>[]>(invitation.nodes)),
      wakes_reader_(needed(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))) {}

result<void> tcp_node::call_launcher() {
  admitted_.begin_call(launcher_node);
  line_ = std::make_unique<control_link>(
      connection::call(who_, admitted_, launcher_node, invitation_.launcher, carries_control));
  connection& link = line_->link;
  const std::uint64_t until = monotonic_ns() + joining_ns_max;
  while (!link.is_open()) {
    link.greet();
    if (link.is_closed()) return error{link.problem()};
    if (link.is_open()) break;
    if (monotonic_ns() > until) return error{"the launcher does not answer"};
    pollfd awaited{link.socket().number(),
                   static_cast<short>(POLLIN | (link.wants_to_write() ? POLLOUT : 0)), 0};
    poll(&awaited, 1, 100);
  }
  return {};
}

result<std::unique_ptr<tcp_node>> tcp_node::join(const tcp_invitation& invitation,
                                                 const job_secret& secret) {
  const auto unreachable = [&](const std::string& why) {
    return error{
        fmt::format("cannot reach the launcher at {}: {}", invitation.launcher.to_text(), why)};
  };
  // The interface that leads to the launcher is the one that others use, too.
  auto here = own_address_towards(invitation.launcher);
  if (!here) return unreachable(here.problem());
  auto listener = listen_at(here.value(), static_cast<int>(invitation.nodes) + 16);
  if (!listener) return error{listener.problem()};
  const address where = address::local_of(listener.value());
  auto stacks = std::make_unique<moving_stacks>(invitation.processors);
  const std::uint64_t stacks_base = stacks->base();  // before `stacks` is handed over
  std::unique_ptr<tcp_node> made(new tcp_node(
      invitation, secret,
      {.build = invitation.build,
       .host = invitation.host,
       .address = where.host(),
       .port = where.port(),
       .version = wire_version,
       .process = static_cast<std::uint32_t>(getpid()),
       .image = executable_start(),
       .layout = code_layout(invitation.guards_agreed ? guard_words::agreed : guard_words::own),
       .stacks = stacks_base},
      std::move(listener).value(), std::move(stacks)));
  if (auto called = made->call_launcher(); !called) return unreachable(called.problem());
  const signals_blocked while_it_starts;
  made->reader_ = std::thread([node = made.get()] { node->read_line(); });
  return made;
}

tcp_node::~tcp_node() {
  finish();
  over_.store(true, memory_order_seq_cst);
  eventfd_write(wakes_reader_.number(), 1);
  if (reader_.joinable()) reader_.join();
}

// --- waiting for the launcher ---

template <class Condition>
void tcp_node::wait_until(Condition&& reached) {
  std::unique_lock hold(lock_);
  changed_.wait(hold, reached);
}

const std::vector<node_facts>& tcp_node::facts() {
  wait_until([&] { return !facts_.empty(); });
  return facts_;
}

void tcp_node::await_begin() {
  {
    const std::lock_guard hold(lock_);
    line_->send(frame_kind::ready);
  }
  wait_until([&] { return begun_; });
}

void tcp_node::finish() {
  {
    const std::lock_guard hold(lock_);
    if (!begun_) return;  // nobody waits for a node that could not begin
    if (!std::exchange(finished_, true)) line_->send(frame_kind::finished);
  }
  wait_until([&] { return left_ || line_->link.is_closed(); });
}

void tcp_node::report(node_id about, const std::string& how) {
  const std::lock_guard hold(lock_);
  if (finished_ || is_lost(about)) return;
  std::string record(sizeof(trouble_record), '\0');
  const trouble_record head{about};
  std::memcpy(record.data(), &head, sizeof head);
  record += how;
  line_->send(frame_kind::trouble, bytes_view{record.data(), record.size()});
}

void tcp_node::on_loss(std::function<void(node_id)> told) {
  const std::lock_guard hold(lock_);
  told_ = std::move(told);
  for (node_id n = 0; told_ && n < nodes(); ++n)
    if (is_lost(n)) told_(n);
}

// --- what this node says ---

void tcp_node::enter(node_phase phase) {
  phase_.store(static_cast<std::uint32_t>(phase), memory_order_relaxed);
  beat();
}

void tcp_node::beat() {
  beats_.fetch_add(1, memory_order_relaxed);
  const std::lock_guard hold(lock_);
  say_beat();
}

/// Called with lock_ held.
void tcp_node::say_beat() {
  const beat_record now{tokens_.load(memory_order_relaxed), phase_.load(memory_order_relaxed),
                        static_cast<std::uint32_t>(busy_.load(memory_order_relaxed))};
  if (line_->out.bytes() < (std::size_t{1} << 16)) line_->send(frame_kind::beat, now);
}

void tcp_node::show(std::uint64_t tokens, int busy) {
  tokens_.store(tokens, memory_order_relaxed);
  busy_.store(busy, memory_order_relaxed);
}

// --- clocks ---

void tcp_node::compare_clocks(
    std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)> told) {
  const std::lock_guard hold(lock_);
  clock_told_ = std::move(told);
  clock_left_ = clock_burst;
  ask_time();
}

/// Called with lock_ held.
void tcp_node::ask_time() {
  const clock_record asked{monotonic_ns(), 0};
  clock_again_ns_ = asked.asked + clock_interval_ns;
  line_->send(frame_kind::clock_asked, asked);
}

/// Called with lock_ held.
void tcp_node::take_time(const clock_record& answer) {
  if (!clock_told_ || clock_left_ == 0) return;
  clock_told_(answer.asked, answer.launcher, monotonic_ns());
  if (--clock_left_ != 0) ask_time();
}

/// The last burst. If the launcher does not answer soon, the run ends without it.
void tcp_node::compare_at_end() {
  std::unique_lock hold(lock_);
  if (!clock_told_ || finished_) return;
  if (clock_left_ == 0) {
    clock_left_ = clock_burst;
    ask_time();
  }
  changed_.wait_for(hold, clock_patience,
                    [this] { return clock_left_ == 0 || line_->link.is_closed(); });
  clock_told_ = nullptr;
}

bool tcp_node::hand_in(const std::string& share) {
  compare_at_end();
  const std::lock_guard hold(lock_);
  for (std::size_t at = 0; at < share.size(); at += share_piece_bytes)
    line_->send(frame_kind::share,
                bytes_view{share.data() + at, std::min(share_piece_bytes, share.size() - at)});
  if (!std::exchange(finished_, true)) line_->send(frame_kind::finished);
  return !line_->link.is_closed();
}

// --- what the launcher says ---

bool tcp_node::take_members(const frame_head& head, const unsigned char* data) {
  if (!facts_.empty() || head.size != nodes() * node_facts::block_bytes) return false;
  for (node_id n = 0; n < nodes(); ++n) {
    const auto facts = node_facts::decode(std::span<const unsigned char, node_facts::block_bytes>(
        data + n * node_facts::block_bytes, node_facts::block_bytes));
    if (!facts) return false;
    auto where = address::find(facts->address, facts->port);
    if (!where) return false;
    facts_.push_back(*facts);
    places_.push_back(std::move(where).value());
  }
  return true;
}

/// Called with lock_ held.
bool tcp_node::take(const frame_head& head, const unsigned char* data) {
  switch (head.kind) {
    case frame_kind::members: return take_members(head, data);
    case frame_kind::begin: begun_ = true; return true;
    case frame_kind::leave: left_ = true; return true;
    case frame_kind::alive: return true;
    case frame_kind::clock_told: {
      const auto answer = record_in<clock_record>(head, data);
      if (answer) take_time(*answer);
      return answer.has_value();
    }
    case frame_kind::lost: {
      const auto news = record_in<lost_record>(head, data);
      if (!news || news->node >= nodes()) return false;
      lost_[news->node].store(true, memory_order_release);
      any_lost_.store(true, memory_order_release);
      if (told_) told_(news->node);
      return true;
    }
    default: return false;
  }
}

void tcp_node::take_frames() {
  const std::lock_guard hold(lock_);
  line_->take(
      [this](const frame_head& head, const unsigned char* data) { return take(head, data); });
  changed_.notify_all();
}

void tcp_node::end_without_launcher(const std::string& why) const {
  std::fflush(stdout);
  std::fprintf(stderr, "terrane: node %u (process %d, %s) on %s: the launcher %s; this node ends\n",
               number(), static_cast<int>(getpid()),
               name_of(static_cast<node_phase>(phase_.load(memory_order_relaxed))),
               invitation_.host.c_str(), why.c_str());
  std::_Exit(exit_node_lost);
}

void tcp_node::read_line() {
  const std::uint64_t beat_ns = invitation_.heartbeat_ms * ns_per_ms;
  std::uint64_t last = monotonic_ns(), patient_from = last;
  take_frames();  // what came with the end of the handshake
  while (!over_.load(memory_order_seq_cst)) {
    pollfd awaited[2] = {{line_->link.socket().number(), POLLIN, 0},
                         {wakes_reader_.number(), POLLIN, 0}};
    {
      const std::lock_guard hold(lock_);
      if (line_->wants_to_write()) awaited[0].events |= POLLOUT;
    }
    poll(awaited, 2, static_cast<int>(invitation_.heartbeat_ms / 4 + 1));
    const std::uint64_t now = monotonic_ns();
    if (now - last > beat_ns) patient_from = now;  // this process itself was stopped meanwhile
    last = now;
    take_frames();
    const std::lock_guard hold(lock_);
    // The machine has ended, and its heart with it; yet this node may have to wait for another one,
    // and must not be taken for the one that is mute.
    if (finished_) say_beat();
    if (clock_told_ && clock_left_ == 0 && now >= clock_again_ns_) {
      clock_left_ = clock_burst;
      ask_time();
    }
    line_->flush();
    if (left_ || over_.load(memory_order_relaxed)) continue;
    if (line_->link.is_closed())
      end_without_launcher("has gone: its connection " + line_->link.problem());
    const std::uint64_t heard = std::max(line_->heard_ns, patient_from);
    if (now > heard && now - heard > 3 * beat_ns)
      end_without_launcher(
          fmt::format("has been silent for {:.1f} s", static_cast<double>(now - heard) / 1e9));
  }
}

}  // namespace terrane
