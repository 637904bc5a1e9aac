// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/node.hpp"

#include <algorithm>
#include <utility>

#include "terrane/base/rare.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

node::node(const node_options& options, std::unique_ptr<balancer> policy, terrane::world& world,
           event_sink& events)
    : options_(options),
      world_(world),
      events_(events),
      pool_(pool_target(options.nodes, options.processors),
            world.neighbours ? world.neighbours->window(options.number) : nullptr),
      enough_(options.nodes == 1 && options.processors == 1 && !options.enough_fixed
                  ? 0
                  : options.enough),
      policy_(std::move(policy)),
      random_(options.seed, 0x6e6f6465u + options.number),
      known_load_(options.nodes, 0) {}

node::~node() {
  for (terrane_token left; pool_.take_oldest(left);) drop_token(left);
}

void node::attach(std::span<processor* const> processors) { processors_ = processors; }

void node::start() {
  const std::lock_guard hold(busy_);
  policy_->on_start(*this);
}

// --- the balancer hears ---

void node::tell_policy(processor* mover, const occurrence& what) {
  {
    const std::lock_guard hold(queue_lock_);
    queue_.push_back(what);
    waiting_.store(static_cast<std::uint32_t>(queue_.size()), memory_order_seq_cst);
  }
  serve(mover);
}

void node::serve(processor* mover) {
  while (waiting_.load(memory_order_seq_cst) != 0 && busy_.try_lock()) {
    // The time is charged to the thread that brought the news, once, however deep notes cause
    // notes.
    const std::uint64_t start = world_.now();
    const std::uint64_t charged = mover ? mover->times().balance : 0;
    mover_ = mover;
    for (;;) {
      occurrence next;
      {
        const std::lock_guard hold(queue_lock_);
        if (queue_.empty()) break;
        next = queue_.pop_front();
        waiting_.store(static_cast<std::uint32_t>(queue_.size()), memory_order_seq_cst);
      }
      if (next.what == occurrence::kind::note || next.what == occurrence::kind::token)
        known_load_[next.from] = next.hint.load;
      switch (next.what) {
        case occurrence::kind::idle:
          idle_told_.store(false, memory_order_relaxed);
          waits_for_data_ = next.waits_for_data;
          policy_->on_idle(*this);
          break;
        case occurrence::kind::surplus: policy_->on_surplus(*this); break;
        case occurrence::kind::note: policy_->on_note(*this, next.from, next.text); break;
        case occurrence::kind::token: policy_->on_token(*this, next.from, next.hint); break;
        case occurrence::kind::tick: policy_->on_tick(*this); break;
      }
    }
    mover_ = nullptr;
    if (mover) mover->times().balance = charged + (world_.now() - start);
    busy_.unlock();
  }
}

void node::idle(processor& mover, bool waits_for_data) {
  if (hungry_untold_.load(memory_order_relaxed) &&
      hungry_untold_.exchange(false, memory_order_relaxed))
    notice_all();
  if (options_.nodes == 1 || idle_told_.exchange(true, memory_order_relaxed)) return;
  tell_policy(&mover, {occurrence::kind::idle, options_.number, {}, {}, waits_for_data});
}

void node::surplus(processor& mover) {
  if (options_.nodes > 1) tell_policy(&mover, {occurrence::kind::surplus, options_.number, {}, {}});
}

void node::tick_if_due(processor* mover, std::uint64_t now) {
  std::uint64_t due = next_tick_.load(memory_order_relaxed);
  if (now < due) return;
  // One of the processors wins the tick.
  if (next_tick_.compare_exchange_strong(due, now + period_.load(memory_order_relaxed),
                                         memory_order_relaxed))
    tell_policy(mover, {occurrence::kind::tick, options_.number, {}, {}});
}

void node::note_arrived(processor* mover, node_id from, const note& what, int load) {
  tell_policy(mover, {occurrence::kind::note, from, {load, from}, what});
}

void node::token_arrived(processor* mover, node_id from, const terrane_token& token,
                         const load_hint& hint) {
  pool_.put_oldest(token);
  wake_sleeper();
  tell_policy(mover, {occurrence::kind::token, from, hint, {}});
}

// --- the processors' side ---

bool node::take_from_pool(processor& taker, terrane_token& token) {
  if (TERRANE_RARE("core.nothing_to_take", !pool_.take_oldest(token))) return false;
  taker.quiescence().received();
  tell_if_hungry();
  return true;
}

bool node::take_to_leave(terrane_token& token) {
  if (!pool_.take_oldest(token, may_leave_node)) return false;
  tell_if_hungry();
  return true;
}

void node::tell_if_hungry() {
  if (pool_.hungry()) notice_all();
}

/// Always true.
bool node::taken_back(processor& taker) {
  taker.quiescence().received();
  if (pool_.hungry()) hungry_untold_.store(true, memory_order_relaxed);
  return true;
}

bool node::offer(processor& giver) {
  const auto give = [&](terrane_token& place) { giver.tokens().take_oldest(place); };
  return !TERRANE_RARE("core.pool_refuses", !pool_.put_newest(give)) && pool_got(giver);
}

bool node::offer(processor& giver, const terrane_token& token) {
  return pool_.put_newest([&](terrane_token& place) { place = token; }) && pool_got(giver);
}

std::optional<std::uint32_t> node::share(processor& giver, const terrane_token& token) {
  const auto place = pool_.share_newest(token);
  if (place) pool_got(giver);
  return place;
}

/// Always true.
bool node::pool_got(processor& giver) {
  giver.quiescence().sent();
  wake_sleeper();
  return true;
}

int node::queued() const {
  int sum = static_cast<int>(pool_.size());
  for (const processor* each : processors_) sum += each->queued_hint();
  return sum;
}

void node::wake_sleeper() {
  for (processor* each : processors_)
    if (world_.crew.wake(*each)) return;
}

void node::notice_all() {
  for (processor* each : processors_) each->notice();
}

// --- what the policy may do ---

node_id node::random_other() {
  if (options_.nodes == 1) return options_.number;
  const node_id other = random_.below(options_.nodes - 1);
  return other < options_.number ? other : other + 1;
}

bool node::send_oldest(node_id to, node_id origin) {
  if (to == options_.number || to >= options_.nodes) return false;
  terrane_token token;
  if (!take_to_leave(token)) {
    // The rest lies in private stacks. That of the one who brings the news is at hand.
    if (!mover_ || &mover_->home() != this) return false;
    mover_->stock_pool(1);  // the last one runs next
    if (!take_to_leave(token)) return false;
  }
  post_token(to, origin, token);
  return true;
}

void node::post_token(node_id to, node_id origin, const terrane_token& token) {
  world_.wire.post_token(mover_, *this, to, token, {queued(), origin});
  tokens_moved_.fetch_add(1, memory_order_relaxed);
}

bool node::give_newest(node_id to) {
  if (to == options_.number || to >= options_.nodes) return false;
  terrane_token token;
  if (!take_from_mover(token)) {
    if (!pool_.take_newest(token, may_leave_node)) return false;
    tell_if_hungry();
  }
  post_token(to, options_.number, token);
  return true;
}

/// Off its private stack, where nobody had sent it yet.
bool node::take_from_mover(terrane_token& token) {
  if (!mover_ || &mover_->home() != this || !mover_->take_newest(token)) return false;
  mover_->quiescence().sent();
  return true;
}

int node::give_oldest(node_id to, int how_many) {
  int given = 0;
  while (given < how_many && send_oldest(to, options_.number)) ++given;
  return given;
}

bool node::pass_oldest(node_id to, node_id origin) { return send_oldest(to, origin); }

int node::take_oldest(node_id from, int how_many) {
  neighbours* const others = world_.neighbours;
  if (!others || from == options_.number || from >= options_.nodes) return 0;
  int taken = 0;
  for (terrane_token token; taken < how_many && others->take_oldest(mover_, from, token); ++taken) {
    pool_.put_oldest(token);
    wake_sleeper();
  }
  tokens_moved_.fetch_add(static_cast<std::uint64_t>(taken), memory_order_relaxed);
  return taken;
}

std::optional<int> node::look(node_id other) {
  if (!world_.neighbours || other == options_.number || other >= options_.nodes) return {};
  const std::optional<int> load = world_.neighbours->look(other);
  if (load) known_load_[other] = *load;
  return load;
}

void node::tell(node_id to, const note& what) {
  if (to >= options_.nodes || to == options_.number) return;
  notes_sent_.fetch_add(1, memory_order_relaxed);
  world_.wire.post_note(mover_, *this, to, what, queued());
}

void node::set_surplus(int tokens) {
  surplus_.store(tokens, memory_order_relaxed);
  notice_all();
}

void node::set_enough(int tokens) {
  if (options_.enough_fixed) return;
  enough_.store(tokens, memory_order_relaxed);
  notice_all();
}

void node::every(std::uint64_t nanoseconds) {
  period_.store(nanoseconds, memory_order_relaxed);
  next_tick_.store(nanoseconds == 0 ? timers::never : world_.now() + nanoseconds,
                   memory_order_relaxed);
}

void node::log(const decision& what) { events_.record({world_.now(), options_.number, what}); }

}  // namespace terrane
