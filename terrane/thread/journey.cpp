// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/journey.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/thread/bundle.hpp"
#include "terrane/thread/channel_desk.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/thread_end.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_mail.hpp"
#include "terrane/thread/thread_seat.hpp"
#include "terrane/thread/traveller.hpp"

namespace terrane {

namespace {

/// Writes that a thread is to move, or why it stays.
void note_move_asked(const char* thread, terrane_slot_ref home, node_id to, migration how) {
  processor& self = here();
  if (TERRANE_LIKELY(!self.records(event_class::move))) return;
  event_writer& writer = self.writer();
  writer.look();
  if (how == migration::moved)
    writer.put<event_id::move_asked>(thread, to, home);
  else
    writer.put<event_id::move_refused>(thread, explain(how), to, home);
}

}  // namespace

// --- at home ---

static_assert(sizeof(away_thread) <= sizeof(thread_block), "both lie in frames of one kind");

away_thread& journey::begin(const thread_options& how, const plain_call& call, bool on_this) {
  const object_kind& kind = kind_of<thread_block>::known();
  terrane_frame* const frame = terrane_frame_new(terrane_here, &kind, kind.frame_class);
  return *::new (frame + 1) away_thread(how, call, on_this);
}

away_thread::away_thread(const thread_options& how, const plain_call& call, bool on_this)
    : joinable(how.name, state::away, hearer::nobody_yet) {
  if (!thread_block::is_possible(how))
    thread_block::impossible(how.name, how.priority, how.stack_bytes);
  if (how.in)
    fail(run_time_error::thread_misused,
         "thread %s was to be migratable, and in a bundle: bundles are of one processor; let "
         "migration_events::incoming say which serves it",
         how.name);
  const char* const why_it_stays = take_stack(how);
  auto* const top = reinterpret_cast<traveller*>(stack_.span.high()) - 1;
  char* const copy = reinterpret_cast<char*>(top) - (call.size + 15) / 16 * 16;
  if (copy - stack_.span.low < static_cast<std::ptrdiff_t>(stack_.span.bytes / 2))
    fail(run_time_error::thread_misused,
         "thread %s has %zu bytes of arguments, too many for a stack of %zu", how.name, call.size,
         stack_.span.bytes);
  std::memcpy(copy, call.bytes, call.size);
  processor& self = here();
  travels_ = ::new (top) traveller(call, copy, name(), stack_);
  travels_->name = how.name;
  travels_->about = how.about;
  travels_->priority = how.priority;
  travels_->size_from = how.size_from;
  travels_->stays = why_it_stays;
  travels_->from = self.home().number();
  travels_->left = make_context(stack_.span, copy, journey::run, travels_);
  if (TERRANE_UNLIKELY(self.records(event_class::thread)))
    self.writer().put<event_id::thread_made>(how.name, frame().name);
  if (on_this)
    travels_->start_here();
  else
    queued_at_ = self.tokens().share(travels_->token());
}

/// Returns why the thread never leaves its node; null: it may.
const char* away_thread::take_stack(const thread_options& how) {
  thread_seat& seat = thread_seat::here();
  const char* stays = seat.of.world().why_threads_stay();
  const std::uint32_t size_class = stack_pool::class_of(how.stack_bytes);
  stack_ = seat.moving_stacks().take_class(size_class);
  if (!stack_.span.low) {
    stack_ = seat.stacks.take_class(size_class);
    stays = "no stack was left that other nodes see";
  }
  if (!stack_.span.low) thread_block::no_stack(how.name, stack_pool::class_bytes(size_class));
  constexpr std::size_t pattern = stack_pool::pattern_bytes;  // a guard pattern may lie lowest
  empty_stack({stack_.span.low + pattern, stack_.span.bytes - pattern});
  return stays;
}

migration away_thread::push_to(node_id node, stack_form form, const migration_answer& told) {
  migration how = another_node(node);
  if (how == migration::moved && !is_away()) how = migration::not_ready;
  if (how == migration::moved && here().world().why_threads_stay()) how = migration::stays;
  if (how == migration::moved && !travels_->take_if_ready(queued_at_)) how = migration::not_ready;
  note_move_asked(thread_name(), name(), node, how);
  if (how != migration::moved) return how;
  travels_->told = told;
  travels_->send_off(node, form);
  return migration::moved;
}

void away_thread::bring_back_if_lost() {
  if (is_away()) travels_->bring_back_if_lost();
}

void away_thread::operate(const operation_request& asked) {
  if (asked.what != end_elsewhere) return joinable::operate(asked);
  thread_end end;
  TERRANE_CHECK(asked.body.size == sizeof end);
  std::memcpy(static_cast<void*>(&end), asked.body.data, sizeof end);
  failure_ = failure_of(end);
  thread_seat::here().give_back(stack_);
  state_ = state::ended;
  tell_end();
}

// --- the steps ---

void journey::run(void* raw) {
  auto& self = *static_cast<traveller*>(raw);
  context_entered();
  std::exception_ptr failure;
  try {
    self.run(self.call);
  } catch (...) { failure = std::current_exception(); }
  thread_block& last = thread_block::current("end");
  last.failure_ = std::move(failure);
  if (last.heap_) last.leave_heap();
  last.mark_ended();
  leave_context(last.seat_->loop);
}

thread_block::thread_block(traveller& arrives, stack_guard guarded)
    : joinable(arrives.name, state::started, hearer::nobody_ever),
      special_(static_cast<std::uint8_t>(
          may_travel | (guarded == stack_guard::pattern ? checks_guard : 0) |
          (arrives.priority != TERRANE_PRIORITY_DEFAULT ? other_priority : 0))),
      size_from_(arrives.size_from),
      wake_(first_wake({.name = arrives.name, .stack_bytes = 0, .priority = arrives.priority})),
      context_(arrives.left),
      exceptions_{},
      errno_(arrives.errno_kept),
      stack_(arrives.its_stack),
      body_([] {}),
      seat_(&thread_seat::here()),
      travels_(&arrives),
      last_end_(arrives.last_end),
      in_(nullptr),
      heap_(arrives.heap),
      about_(arrives.about),
      size_class_(arrives.its_stack.size_class) {}

thread_block& journey::arrive(traveller& comes) {
  auto& block = make_object<thread_block>(comes, comes.guard_here());
  terrane::here().writer().count_thread(1);
  const node_id here = terrane::here().home().number();
  // The message ordered memory; if the thread leaves again, a release follows.
  comes.under_way.store(traveller::nowhere, memory_order_relaxed);
  if (comes.from != here) {
    if (comes.left_ns != 0) terrane::here().thread_came(std::exchange(comes.left_ns, 0));
    if (processor& self = terrane::here(); TERRANE_UNLIKELY(self.records(event_class::move))) {
      self.writer().look();
      self.writer().put<event_id::move_arrived>(comes.name, comes.from, comes.home,
                                                comes.departures);
    }
    if (migration_events* const hears = thread_seat::here().migrations) {
      block.in_ = hears->incoming(block, comes.from);
      block.mark_special(thread_block::of_bundle, block.in_ != nullptr);
      if (block.in_) block.in_->thread_came();
    }
    if (comes.by_policy)
      terrane::here().home().policy().thread_came(terrane::here(), comes.from, comes.home);
    comes.from = here;
  }
  comes.by_policy = false;
  if (block.heap_ && block.heap_->letters) thread_seat::here().mail().comes(block);
  std::exchange(comes.told, {}).send(comes.outcome);
  return block;
}

migration journey::may_move(const thread_block& one) {
  if (const migration how = what_pins(one); how != migration::moved) return how;
  if (*one.seat_->exceptions_place != std::array<void*, 2>{}) return migration::handles_exception;
  if (one.wake_.count != 1) return migration::expects_signal;
  return migration::moved;
}

migration journey::may_be_asked(const thread_block& one) {
  if (const migration how = what_pins(one); how != migration::moved) return how;
  return one.exceptions_ != std::array<void*, 2>{} ? migration::handles_exception
                                                   : migration::moved;
}

migration journey::what_pins(const thread_block& one) {
  if (!one.travels_) return migration::not_migratable;
  if (one.travels_->stays) return migration::stays;
  if (one.travels_->pins != 0) return migration::pinned;
  if (one.locks_held() != 0) return migration::holds_lock;
  if (one.travels_->children != 0 || (one.heap_ && one.heap_->loans))
    return migration::has_children;
  if (one.heap_ && one.heap_->stays()) return migration::has_own_memory;
  if (one.heap_ && one.heap_->letters && one.seat_->mail().holds(one))
    return migration::transfers_data;
  if (one.seat_->of.tokens().holds_kept()) return migration::has_futures;
  return migration::moved;
}

migration journey::move(thread_block& running, node_id node, stack_form form) {
  return go(running, another_node(node), node, traveller::any_processor, form);
}

migration journey::move_to(thread_block& running, processor_id to) {
  if (to == terrane_here->number) return migration::is_there;
  const node_id node = terrane_node_of(to);
  const migration how = another_node(node);
  return go(running, how == migration::is_there ? migration::moved : how, node, to,
            stack_form::best);
}

migration journey::go(thread_block& running, migration how, node_id node, processor_id lands_on,
                      stack_form form) {
  if (how == migration::moved) how = may_move(running);
  note_move_asked(running.thread_name(), running.id(), node, how);
  if (how != migration::moved) return how;
  traveller& mine = *running.travels_;  // it stays valid; the block may be another afterwards
  mine.goes_to = node;
  mine.lands_on = lands_on;
  mine.goes_as = form;
  leave_node(running);
  return mine.outcome;
}

bool journey::offer(thread_block& yields) {
  node& home = yields.seat_->of.home();
  if (!home.exchange().hungry() || !home.policy().offers_yielding() ||
      may_move(yields) != migration::moved)
    return false;
  yields.travels_->goes_to = traveller::any_node;
  leave_node(yields);
  return true;
}

/// The thread may continue in another block, on another processor: only what lies on its own stack
/// is read afterwards.
[[gnu::noinline]] void journey::stand(thread_block& yields) {
  traveller& mine = *yields.travels_;
  mine.stands = true;
  yields.yield_by_loop();
  mine.stands = false;
}

ready_thread journey::describe(thread_block& one) {
  ready_thread seen;
  seen.here = one.frame().name;
  seen.id = one.id();
  seen.may_move = may_be_asked(one) == migration::moved;
  channel_desk& desk = one.seat_->channels();
  const node_id me = one.seat_->of.home().number();
  const auto elsewhere = [&](const channel_half* end) -> std::optional<node_id> {
    const auto known = end ? desk.partner_of(*end) : std::nullopt;
    return known == me ? std::nullopt : known;
  };
  seen.last_peer = elsewhere(one.last_end_);
  for (const channel_half* each = one.heap_ ? one.heap_->ends : nullptr; each; each = each->next)
    if (const auto peer = elsewhere(each)) {
      const auto same = [&](const auto& entry) { return entry.first == *peer; };
      const auto found = std::find_if(seen.items.begin(), seen.items.end(), same);
      if (found == seen.items.end())
        seen.items.emplace_back(*peer, each->count);
      else
        found->second += each->count;
    }
  return seen;
}

bool journey::ask_to_go(thread_block& one, node_id to) {
  migration how = another_node(to);
  if (how == migration::moved) how = may_be_asked(one);
  note_move_asked(one.thread_name(), one.id(), to, how);
  if (how != migration::moved) return false;
  traveller& its = *one.travels_;
  if (its.stands && !one.in_ && one.wake_.count == 1 && terrane::here().take_back(one.frame())) {
    its.goes_to = to;
    its.goes_as = stack_form::best;
    its.by_policy = true;
    one.state_ = thread_block::state::leaving;
    depart(one);
  } else {
    its.asked_to = to;
    one.mark_special(thread_block::asked_to_move, true);
  }
  return true;
}

bool journey::go_where_asked(thread_block& running) {
  traveller& mine = *running.travels_;  // it stays valid; the block may be another afterwards
  running.mark_special(thread_block::asked_to_move, false);
  mine.by_policy = true;
  terrane::here().pay_nothing();  // it may have resumed for this alone
  const migration how = move(running, mine.asked_to, stack_form::best);
  if (how == migration::moved) return true;
  mine.by_policy = false;
  terrane::here().home().policy().thread_stays(terrane::here(), mine.home);
  return how == migration::refused;
}

/// The thread continues in another block, perhaps in another process: after the switch nothing of
/// this block is read.
[[gnu::noinline]] void journey::leave_node(thread_block& leaves) {
  traveller& mine = *leaves.travels_;
  leaves.state_ = thread_block::state::leaving;
  leaves.mark_suspended();
  leave_for(leaves.context_, leaves.seat_->loop);
  came_back(mine.left);
}

/// Called when the loop has the processor again, and the thread does not run.
void journey::depart(thread_block& leaves) {
  traveller& mine = *leaves.travels_;
  mine.left = leaves.context_;
  mine.errno_kept = leaves.errno_;
  mine.name = leaves.name_;
  mine.priority = leaves.priority();
  if (leaves.heap_ && leaves.heap_->letters) leaves.seat_->mail().leaves(leaves);
  mine.heap = leaves.heap_.release();
  ++mine.departures;
  mine.last_end = leaves.last_end_;
  const node_id to = mine.goes_to;
  processor& self = leaves.seat_->of;
  if (TERRANE_UNLIKELY(self.records(event_class::move))) {
    self.writer().look();
    self.writer().put<event_id::move_leaves>(mine.name, to, leaves.stack_in_use(), mine.home,
                                             mine.departures);
  }
  if (to != traveller::any_node) {
    tell_outgoing(leaves, to);
    mine.send_off(to, mine.goes_as);
    return leaves.free_this();
  }
  if (self.home().exchange().offer(self, mine.token())) {
    tell_outgoing(leaves, to);
    return leaves.free_this();
  }
  leaves.heap_.reset(mine.heap);
  if (leaves.heap_ && leaves.heap_->letters) leaves.seat_->mail().stays(leaves);
  leaves.state_ = thread_block::state::started;
  leaves.make_ready_last();
}

void journey::tell_outgoing(thread_block& leaves, node_id to) {
  leaves.seat_->of.writer().count_thread(-1);
  if (leaves.in_) leaves.leave_bundle();
  if (leaves.seat_->migrations) leaves.seat_->migrations->outgoing(leaves, to);
}

void journey::finish(thread_block& ended) {
  const terrane_slot_ref home = ended.travels_->home;
  if ((ended.special_ & thread_block::asked_to_move) != 0)
    here().home().policy().thread_stays(here(), home);
  const thread_end end = end_for(processor_of(home), std::move(ended.failure_));
  ask<thread_block>(home, joinable::end_elsewhere, bytes_view{&end, sizeof end});
  ended.free_this();
}

terrane_slot_ref thread_block::id() const { return travels_ ? travels_->home : name(); }
std::uint32_t thread_block::departures() const { return travels_ ? travels_->departures : 0; }

void journey::pin(thread_block& one) {
  if (one.travels_) ++one.travels_->pins;
}
void journey::unpin(thread_block& one) {
  if (one.travels_) --one.travels_->pins;
}

void journey::has_children(thread_block& one, int more) {
  if (one.travels_) one.travels_->children += static_cast<std::uint32_t>(more);
}

std::size_t thread_block::stack_in_use() const {
  const void* const top = travels_ ? static_cast<const void*>(travels_ + 1) : stack_.span.high();
  return static_cast<std::size_t>(static_cast<const char*>(top) -
                                  static_cast<const char*>(context_.stack_pointer));
}

}  // namespace terrane
