// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/policy_host.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "terrane/core/node.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

policy_host::policy_host(node& home, const node_options& options, std::unique_ptr<balancer> policy,
                         terrane::world& world)
    : home_(home),
      number_(options.number),
      nodes_(options.nodes),
      enough_fixed_(options.enough_fixed),
      exchange_(home.exchange()),
      world_(world),
      enough_(options.nodes == 1 && options.processors == 1 && !options.enough_fixed
                  ? 0
                  : options.enough),
      policy_(std::move(policy)),
      random_(options.seed, 0x6e6f6465u + options.number) {}

void policy_host::start() {
  const std::lock_guard hold(busy_);
  policy_->on_start(*this);
}

// --- what it hears ---

void policy_host::idle(processor& mover, bool waits_for_data) {
  exchange_.tell_what_is_untold();
  if (nodes_ == 1 || idle_told_.exchange(true, memory_order_relaxed)) return;
  tell_policy(&mover, {occurrence::kind::idle, number_, {}, {}, waits_for_data});
}

void policy_host::surplus(processor& mover) {
  if (nodes_ > 1) tell_policy(&mover, {occurrence::kind::surplus, number_, {}, {}});
}

void policy_host::tick_if_due(processor* mover, std::uint64_t now) {
  std::uint64_t due = next_tick_.load(memory_order_relaxed);
  if (now < due) return;
  // Several threads may see the tick as due; one of them wins it.
  if (next_tick_.compare_exchange_strong(due, now + period_.load(memory_order_relaxed),
                                         memory_order_relaxed))
    tell_policy(mover, {occurrence::kind::tick, number_, {}, {}});
}

void policy_host::note_arrived(processor* mover, node_id from, const note& what, int load) {
  tell_policy(mover, {occurrence::kind::note, from, {load, from}, what});
}

void policy_host::token_arrived(processor* mover, node_id from, const terrane_token& token,
                                const load_hint& hint) {
  exchange_.put_arrived(token);
  tokens_in_.fetch_add(1, memory_order_relaxed);
  tell_policy(mover, {occurrence::kind::token, from, hint, {}});
}

void policy_host::tell_policy(processor* mover, const occurrence& what) {
  // Usually nothing waits and the policy is free: then what occurred need not be queued.
  if (waiting_.load(memory_order_seq_cst) == 0 && busy_.try_lock()) {
    serve_holding(mover, &what);
  } else {
    const std::lock_guard hold(queue_lock_);
    queue_.push_back(what);
    waiting_.exchange(static_cast<std::uint32_t>(queue_.size()), memory_order_seq_cst);
  }
  serve(mover);
}

/// Nothing queued is left behind. Whoever served looks at `waiting_` after releasing `busy_`, and
/// whoever queued changes `waiting_` before trying `busy_`; both are atomic changes, as all between
/// are. If the look comes first, the change has seen the release, and the try succeeds or finds a
/// later holder; else the look sees what was queued.
void policy_host::serve(processor* mover) {
  while (waiting_.fetch_add(0, memory_order_seq_cst) != 0 && busy_.try_lock())
    serve_holding(mover, nullptr);
}

/// Call with busy_ held; releases it. first: what has not been queued.
void policy_host::serve_holding(processor* mover, const occurrence* first) {
  // The time is charged once to the reporting processor, even if notes cause further notes.
  const std::uint64_t start = world_.now();
  const std::uint64_t charged = mover ? mover->times().balance : 0;
  mover_ = mover;
  if (TERRANE_UNLIKELY(chosen_.load(memory_order_relaxed) != as_it_is))
    events_.trace(chosen_.exchange(as_it_is, memory_order_relaxed));
  if (events_.classes() != 0) events_.look();
  if (first) hand_over(*first);
  for (occurrence next; next_occurrence(next);) hand_over(next);
  mover_ = nullptr;
  const std::uint64_t took = world_.now() - start;
  if (mover) {
    mover->times().balance = charged + took;
    if (TERRANE_UNLIKELY(mover->records(event_class::time) && took != 0)) {
      mover->writer().look();
      mover->writer().put<event_id::balanced>(took);
    }
  }
  busy_.unlock();
}

bool policy_host::next_occurrence(occurrence& next) {
  if (waiting_.load(memory_order_seq_cst) == 0) return false;  // serve() looks once more
  const std::lock_guard hold(queue_lock_);
  if (queue_.empty()) return false;
  next = queue_.pop_front();
  waiting_.exchange(static_cast<std::uint32_t>(queue_.size()), memory_order_seq_cst);
  return true;
}

void policy_host::hand_over(const occurrence& what) {
  switch (what.what) {
    case occurrence::kind::idle:
      idle_told_.store(false, memory_order_relaxed);
      waits_for_data_ = what.waits_for_data;
      record<event_id::balancer_idle>(what.waits_for_data);
      return policy_->on_idle(*this);
    case occurrence::kind::surplus:
      if (records(event_class::balance)) record<event_id::balancer_surplus>(exchange_.queued());
      return policy_->on_surplus(*this);
    case occurrence::kind::note:
      known_load_.set(what.from, what.hint.load);
      record<event_id::note_arrived>(what.from, what.text.kind, what.text.about, what.text.value,
                                     what.hint.load);
      return policy_->on_note(*this, what.from, what.text);
    case occurrence::kind::token:
      known_load_.set(what.from, what.hint.load);
      record<event_id::token_arrived>(what.from, what.hint.load);
      if (asked_ns_ != 0) answer_times_.make().add(world_.now() - std::exchange(asked_ns_, 0));
      return policy_->on_token(*this, what.from, what.hint);
    case occurrence::kind::tick: return policy_->on_tick(*this);
    case occurrence::kind::threads: {
      std::vector<ready_thread> listed;
      {
        const std::lock_guard hold(queue_lock_);
        listed.swap(listed_);
      }
      return policy_->on_threads(*this, listed);
    }
    case occurrence::kind::thread_came: return policy_->on_thread(*this, what.from, what.thread);
    case occurrence::kind::thread_stays: return policy_->on_thread_stays(*this, what.thread);
  }
}

void policy_host::thread_came(processor& mover, node_id from, terrane_slot_ref id) {
  tell_policy(&mover, {occurrence::kind::thread_came, from, {}, {}, false, id});
}

void policy_host::thread_stays(processor& mover, terrane_slot_ref id) {
  tell_policy(&mover, {occurrence::kind::thread_stays, number_, {}, {}, false, id});
}

// --- what it asks of processors ---

void policy_host::ask_threads(bool asks) {
  threads_asked_.store(asks, memory_order_seq_cst);
  if (asks) exchange_.notice_all();
}

void policy_host::move(terrane_slot_ref thread, node_id to) {
  const processor_id at = processor_of(thread);
  for (processor* each : home_.processors()) {
    if (each->number != at) continue;
    {
      const std::lock_guard hold(queue_lock_);
      moves_.push_back({thread, to});
      moves_waiting_.store(static_cast<std::uint32_t>(moves_.size()), memory_order_seq_cst);
    }
    each->notice();
  }
}

void policy_host::offer_yielding(bool so) {
  offers_yielding_.store(so || home_.processors().size() > 1, memory_order_relaxed);
}

void policy_host::carry_out_moves(processor& self) {
  std::vector<move_order> mine;
  if (moves_waiting_.load(memory_order_seq_cst) != 0) {
    const std::lock_guard hold(queue_lock_);
    std::erase_if(moves_, [&](const move_order& each) {
      const bool its = processor_of(each.thread) == self.number;
      if (its) mine.push_back(each);
      return its;
    });
    moves_waiting_.store(static_cast<std::uint32_t>(moves_.size()), memory_order_seq_cst);
  }
  for (const move_order& each : mine)
    if (!self.threads() || !self.threads()->move_thread(each.thread, each.to))
      thread_stays(self, each.thread);
}

/// Each processor answers for itself, and the first that has a thread that may move answers for
/// all. What the policy orders at once is carried out at once.
void policy_host::answer(processor& self) {
  carry_out_moves(self);
  if (!threads_asked_.load(memory_order_seq_cst)) return self.heed_what_gets_ready(false);
  std::vector<ready_thread> ready;
  if (self.threads()) self.threads()->list_ready(ready);
  const bool some = std::any_of(ready.begin(), ready.end(),
                                [](const ready_thread& each) { return each.may_move; });
  self.heed_what_gets_ready(!some);
  if (!some || !threads_asked_.exchange(false, memory_order_seq_cst)) return;
  {
    const std::lock_guard hold(queue_lock_);
    listed_ = std::move(ready);
  }
  tell_policy(&self, {occurrence::kind::threads, number_, {}, {}});
  carry_out_moves(self);
}

// --- what the policy may do ---

node_id policy_host::random_other() {
  if (nodes_ == 1) return number_;
  const node_id other = random_.below(nodes_ - 1);
  return other < number_ ? other : other + 1;
}

bool policy_host::send_oldest(node_id to, node_id origin) {
  if (!is_other(to)) return false;
  terrane_token token;
  if (!exchange_.take_to_leave(token)) {
    // Other tokens lie in private stacks. Of these, only the mover's may be accessed.
    if (!mover_ || &mover_->home() != &home_) return false;
    mover_->tokens().stock_pool(1);  // keeps one token, which runs next
    if (!exchange_.take_to_leave(token)) return false;
  }
  post_token(to, origin, token);
  return true;
}

void policy_host::post_token(node_id to, node_id origin, const terrane_token& token) {
  const int load = exchange_.queued();
  record<event_id::token_given>(token.function, to, origin, load);
  world_.wire.post_token(mover_, home_, to, token, {load, origin});
  tokens_moved_.fetch_add(1, memory_order_relaxed);
  tokens_out_.fetch_add(1, memory_order_relaxed);
}

bool policy_host::give_newest(node_id to) {
  if (!is_other(to)) return false;
  terrane_token token;
  if (!take_from_mover(token) && !exchange_.take_newest_to_leave(token)) return false;
  post_token(to, number_, token);
  return true;
}

/// Takes a token off the mover's private stack. It has not been counted as sent yet, so it is
/// counted here.
bool policy_host::take_from_mover(terrane_token& token) {
  if (!mover_ || &mover_->home() != &home_ || !mover_->tokens().take_newest_to_leave(token))
    return false;
  mover_->quiescence().sent(1);
  return true;
}

int policy_host::give_oldest(node_id to, int how_many) {
  int given = 0;
  while (given < how_many && send_oldest(to, number_)) ++given;
  return given;
}

bool policy_host::pass_oldest(node_id to, node_id origin) { return send_oldest(to, origin); }

int policy_host::take_oldest(node_id from, int how_many) {
  neighbours* const others = world_.neighbours;
  if (!others || !is_other(from)) return 0;
  int taken = 0;
  for (terrane_token token; taken < how_many && others->take_oldest(mover_, from, token); ++taken)
    exchange_.put_arrived(token);
  tokens_moved_.fetch_add(static_cast<std::uint64_t>(taken), memory_order_relaxed);
  tokens_in_.fetch_add(static_cast<std::uint64_t>(taken), memory_order_relaxed);
  if (taken != 0) record<event_id::tokens_robbed>(taken, from);
  return taken;
}

std::optional<int> policy_host::look(node_id other) {
  if (!world_.neighbours || !is_other(other)) return {};
  const std::optional<int> load = world_.neighbours->look(other);
  if (load) known_load_.set(other, *load);
  return load;
}

void policy_host::tell(node_id to, const note& what) {
  if (!is_other(to)) return;
  notes_sent_.fetch_add(1, memory_order_relaxed);
  const int load = exchange_.queued();
  if (asked_ns_ == 0 && load == 0) asked_ns_ = world_.now();
  record<event_id::note_sent>(to, what.kind, what.about, what.value, load);
  world_.wire.post_note(mover_, home_, to, what, load);
}

void policy_host::set_surplus(int tokens) {
  surplus_.store(tokens, memory_order_relaxed);
  exchange_.notice_all();
}

void policy_host::set_enough(int tokens) {
  if (enough_fixed_) return;
  enough_.store(tokens, memory_order_relaxed);
  exchange_.notice_all();
}

void policy_host::every(std::uint64_t nanoseconds) {
  period_.store(nanoseconds, memory_order_relaxed);
  next_tick_.store(nanoseconds == 0 ? timers::never : world_.now() + nanoseconds,
                   memory_order_relaxed);
}

void policy_host::measure(const metric_choice& what) {
  home_.meter().begin(what, home_.processors(), events_);
}

std::optional<double> policy_host::measured(metric what) const { return home_.meter().value(what); }

std::optional<std::uint64_t> policy_host::messages_to(node_id other) const {
  return home_.meter().sent_to(other);
}

std::uint64_t policy_host::now() const { return world_.now(); }

void policy_host::log(const decision& what) {
  if (!records(event_class::balance)) return;
  record<event_id::decision>(what.what, what.about, what.first, what.second, exchange_.queued());
}

}  // namespace terrane
