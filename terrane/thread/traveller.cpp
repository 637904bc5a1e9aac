// SPDX-License-Identifier: Apache-2.0
// traveller.cpp: a thread leaves a block, is on its way, and comes into another.
#include "terrane/thread/traveller.hpp"

#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/thread/bundle.hpp"
#include "terrane/thread/thread_end.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

const travelling_kind traveller::roams{
    {"thread", nullptr, 0, 0, 0, sizeof(traveller*), board, nullptr, fibers_of_travellers},
    weight,
    false};
const travelling_kind traveller::stays_home{
    {"thread", nullptr, 0, 0, 0, sizeof(traveller*), board, nullptr, fibers_of_travellers},
    weight,
    true};
const registration traveller::registered[2] = {registration(roams), registration(stays_home)};

terrane_token traveller::token() const {
  const traveller* const self = this;
  return make_token(stays ? stays_home : roams, &self);
}

traveller& traveller::in(const terrane_token& token) {
  traveller* found;
  std::memcpy(&found, token.args, sizeof found);
  return *found;
}

// --- on its way ---

#ifdef TERRANE_ASAN
constexpr bool may_pack = false;  // between what lies on a stack are bytes that must not be read
#else
constexpr bool may_pack = true;
#endif

namespace {

bool is_lost(node_id which) {
  const processor& self = here();
  const losses* const told = self.world().losses;
  return told && told->is_lost(which * self.processors_per_node());
}

bool stacks_are_shared(const processor& self) {
  const neighbours* const others = self.world().neighbours;
  return others && others->stacks_are_shared();
}

}  // namespace

migration another_node(node_id to) {
  if (to >= terrane_nodes()) return migration::no_such_node;
  if (to == here().home().number()) return migration::is_there;
  return is_lost(to) ? migration::node_lost : migration::moved;
}

std::size_t traveller::weight(const terrane_token& token) {
  const traveller& one = in(token);
  return one.used().size + (one.heap ? one.heap->bytes_used() : 0);
}

namespace {

/// Bytes that go to the place they have here. Wiped: before they are sent, since it may be the
/// receiver's memory, too.
template <class Head>
void send_to_their_place(processor_id target, entry kind, const Head& head, bytes_view bytes,
                         bool wiped) {
  std::vector<char> copy;
  if (wiped) {
    const auto* start = static_cast<const char*>(bytes.data);
    copy.assign(start, start + bytes.size);
    std::memset(const_cast<void*>(bytes.data), 0x5a, bytes.size);
    bytes.data = copy.data();
  }
  here().send(target, kind, {&head, sizeof head}, bytes);
}

}  // namespace

/// Its heap first, then the bytes in use of its stack, in one message with the news of it.
void traveller::send_packed(processor_id target) {
  const bool wiped = goes_as == stack_form::wiped;
  if (heap)
    heap->for_each_part([&](bytes_view part) {
      const put_request where{terrane_place_on(target, part.data), 0};
      send_to_their_place(target, entry::put, where, part, wiped);
    });
  const carry_request news{entry_of(roams), terrane_place_on(target, left.stack_pointer),
                           reinterpret_cast<std::uintptr_t>(this)};
  send_to_their_place(target, entry::carry, news, used(), wiped);
}

void traveller::send_off(node_id to, stack_form form, migration how) {
  processor& self = terrane::here();
  const std::uint32_t each = self.processors_per_node();
  const processor_id target = to * each + thread_seat::here().landings++ % each;
  from = self.home().number();
  goes_as = form;
  outcome = how;
  under_way.store(to, memory_order_release);  // all above it is seen by who brings it back
  if (may_pack && (form != stack_form::best || !stacks_are_shared(self)))
    return send_packed(target);
  const traveller* const news = this;
  terrane_invoke(target, &roams, &news);
}

void traveller::board(terrane_processor* raw, const void* args) {
  auto& self = *static_cast<processor*>(raw);
  traveller* comes;
  std::memcpy(&comes, args, sizeof comes);
  filled_elsewhere(comes, sizeof *comes);  // it says where its stack ends
  filled_elsewhere(comes->used().data, comes->used().size);
  const bool is_back = comes->outcome != migration::moved;
  if (migration_events* const hears = thread_seat::here().migrations;
      hears && !is_back && comes->under_way.load(memory_order_relaxed) != nowhere &&
      !hears->accepts(comes->from))
    return comes->send_off(comes->from, comes->goes_as, migration::refused);
  auto& block = make_object<thread_block>(*comes, comes->guard_here());
  comes->arrived(self, block);
  block.run_now();
}

/// Of its stack, which it lets the fault handler or the loop know of.
stack_guard traveller::guard_here() const {
  const stack_guard made =
      thread_seat::here().guard_of(its_stack, terrane_node_of(processor_of(home)));
  if (made != stack_guard::pattern) return made;
  // A thread that had a better guard elsewhere may have used these bytes.
  const char* const lowest = its_stack.span.low + 2 * stack_pool::pattern_bytes;
  if (left.stack_pointer < lowest) return stack_guard::none;
  stack_pool::lay_pattern(its_stack);
  return stack_guard::pattern;
}

void traveller::bring_back_if_lost() {
  // acquire pairs with the release in send_off. Who was to read the news of it never will.
  const node_id to = under_way.load(memory_order_acquire);
  if (to >= terrane_nodes() || !is_lost(to)) return;
  const node_id back = is_lost(from) ? terrane::here().home().number() : from;
  send_off(back, stack_form::best, migration::node_lost);  // all of it is where it was
}

void traveller::arrived(processor& at, thread_block& block) {
  const node_id here = at.home().number();
  under_way.store(nowhere, memory_order_relaxed);  // the news came; a release follows if it leaves
  if (from != here) {
    if (migration_events* const hears = thread_seat::here().migrations) {
      block.in_ = hears->incoming(block, from);
      block.mark_special(thread_block::of_bundle, block.in_ != nullptr);
      if (block.in_) block.in_->thread_came();
    }
    from = here;
  }
  std::exchange(told, {}).send(outcome);
}

void traveller::begin(void* raw) {
  auto& self = *static_cast<traveller*>(raw);
  context_entered();
  std::exception_ptr failure;
  try {
    self.run(self.call);
  } catch (...) { failure = std::current_exception(); }
  thread_block& last = thread_block::current("end");
  last.failure_ = std::move(failure);
  last.ends();
  leave_context(last.seat_->loop);
}

traveller* traveller::take_any_ready() {
  processor& self = terrane::here();
  const auto wanted = [](const terrane_token& seen) { return is_in(seen) && may_leave_node(seen); };
  terrane_token token;
  const bool found =
      self.home().take_back(self, token, wanted) || self.tokens().take_newest(token, wanted);
  return found ? &in(token) : nullptr;
}

bool traveller::take_if_ready(std::uint32_t place) const {
  processor& self = terrane::here();
  const auto is_it = [this](const terrane_token& seen) {
    return seen.function == &roams && &in(seen) == this;
  };
  terrane_token token;
  return self.home().take_back_from(place, self, token, is_it) ||
         self.tokens().take_newest(token, is_it);
}

// --- blocks ---

thread_block::thread_block(traveller& arrives, stack_guard guarded)
    : wake_(first_wake({.name = arrives.name, .stack_bytes = 0, .priority = arrives.priority})),
      context_(arrives.left),
      exceptions_{},
      errno_(arrives.errno_kept),
      state_(state::started),
      special_(static_cast<std::uint8_t>(
          may_travel | (guarded == stack_guard::pattern ? checks_guard : 0) |
          (arrives.priority != TERRANE_PRIORITY_DEFAULT ? other_priority : 0))),
      hearer_(hearer::nobody_ever),
      size_from_(arrives.size_from),
      stack_(arrives.its_stack),
      body_([] {}),
      seat_(&thread_seat::here()),
      name_(arrives.name),
      travels_(&arrives),
      in_(nullptr),
      about_(arrives.about),
      size_class_(arrives.its_stack.size_class),
      heap_(arrives.heap) {}

std::size_t thread_block::stack_in_use() const {
  const void* const top = travels_ ? static_cast<const void*>(travels_ + 1) : stack_.span.high();
  return static_cast<std::size_t>(static_cast<const char*>(top) -
                                  static_cast<const char*>(context_.stack_pointer));
}

/// Made by its home: becomes a token at once.
void thread_block::sent_out(const plain_call& call) {
  if (in_)
    fail(run_time_error::thread_misused,
         "thread %s was to be migratable, and in a bundle: bundles are of one processor; let "
         "migration_events::incoming say which serves it",
         name_);
  processor& self = terrane::here();
  const char* stays = self.world().why_threads_stay();
  stack_ = seat_->moving_stacks().take_class(size_class_);
  if (!stack_.span.low) {
    stack_ = seat_->stacks.take_class(size_class_);
    stays = "no stack was left that other nodes see";
  }
  require_stack();
  constexpr std::size_t pattern = stack_pool::pattern_bytes;  // a guard's may lie lowest
  empty_stack({stack_.span.low + pattern, stack_.span.bytes - pattern});
  auto* const top = reinterpret_cast<traveller*>(stack_.span.high()) - 1;
  char* const copy = reinterpret_cast<char*>(top) - (call.size + 15) / 16 * 16;
  if (copy - stack_.span.low < static_cast<std::ptrdiff_t>(stack_.span.bytes / 2))
    fail(run_time_error::thread_misused,
         "thread %s has %zu bytes of arguments, too many for a stack of %zu", name_, call.size,
         stack_.span.bytes);
  std::memcpy(copy, call.bytes, call.size);
  travels_ = ::new (top) traveller(call, copy, name(), stack_);
  travels_->name = name_;
  travels_->about = about_;
  travels_->priority = priority();
  travels_->size_from = size_from_;
  travels_->stays = stays;
  travels_->from = self.home().number();
  travels_->left = make_context(stack_.span, copy, traveller::begin, travels_);
  queued_at_ = self.queue_shared(travels_->token());
}

migration thread_block::may_move() const {
  if (!travels_) return migration::not_migratable;
  if (travels_->stays) return migration::stays;
  if (travels_->pins != 0) return migration::pinned;
  if (locks_held() != 0) return migration::holds_lock;
  if (*seat_->exceptions_place != std::array<void*, 2>{}) return migration::handles_exception;
  if (heap_ && heap_->stays()) return migration::has_own_memory;
  if (wake_.count != 1) return migration::expects_signal;
  if (seat_->of.tokens().holds_futures()) return migration::has_futures;
  return migration::moved;
}

migration thread_block::move_to(node_id node, stack_form form) {
  if (const migration how = another_node(node); how != migration::moved) return how;
  if (const migration pinned = may_move(); pinned != migration::moved) return pinned;
  traveller& mine = *travels_;  // in which it comes back, to another block
  mine.goes_to = node;
  mine.goes_as = form;
  leave_node();
  return mine.outcome;
}

/// False: it stays.
bool thread_block::goes_to_whoever_wants() {
  if (!seat_->of.home().pool().hungry() || may_move() != migration::moved) return false;
  travels_->goes_to = traveller::any_node;
  leave_node();
  return true;
}

/// Comes back in another block, perhaps of another process: nothing of this one is read then.
[[gnu::noinline]] void thread_block::leave_node() {
  traveller& mine = *travels_;
  state_ = state::leaving;
  goes();
  leave_for(context_, seat_->loop);
  came_back(mine.left);
}

/// The loop has the processor again, and the thread stands still.
void thread_block::depart() {
  traveller& leaves = *travels_;
  leaves.left = context_;
  leaves.errno_kept = errno_;
  leaves.name = name_;
  leaves.priority = priority();
  leaves.heap = heap_.release();
  const node_id to = leaves.goes_to;
  if (to != traveller::any_node) {
    tell_outgoing(to);
    leaves.send_off(to, leaves.goes_as);
    return unmake_this();
  }
  if (seat_->of.home().offer(seat_->of, leaves.token())) {
    tell_outgoing(to);
    return unmake_this();
  }
  heap_.reset(leaves.heap);
  state_ = state::started;
  yields();
}

void thread_block::tell_outgoing(node_id to) {
  if (in_) leave_bundle();
  if (seat_->migrations) seat_->migrations->outgoing(*this, to);
}

migration thread_block::push_to(node_id node, stack_form form, const migration_answer& told) {
  if (const migration how = another_node(node); how != migration::moved) return how;
  if (!travels_) return ended() ? migration::not_ready : migration::not_migratable;
  if (seat_->of.world().why_threads_stay()) return migration::stays;
  if (!travels_->take_if_ready(queued_at_)) return migration::not_ready;
  travels_->told = told;
  travels_->send_off(node, form);
  return migration::moved;
}

void thread_block::bring_back_if_lost(terrane_frame& frame) {
  if (frame.function != &kind_of<thread_block>::kind) return;
  const thread_block& one = in(frame);
  if (one.travels_ && one.state_ == state::fresh) one.travels_->bring_back_if_lost();
}

void thread_block::pin() {
  if (travels_) ++travels_->pins;
}
void thread_block::unpin() {
  if (travels_) --travels_->pins;
}

// --- the end ---

void thread_block::end_away() {
  if (in_) leave_bundle();
  heap_.reset();
  const terrane_slot_ref home = travels_->home;
  const thread_end end = end_for(processor_of(home), std::move(failure_));
  ask<thread_block>(home, end_elsewhere, bytes_view{&end, sizeof end});
  unmake_this();
}

/// Of the thread that this block made.
void thread_block::ended_elsewhere(const operation_request& asked) {
  thread_end end;
  TERRANE_CHECK(asked.body.size == sizeof end);
  std::memcpy(static_cast<void*>(&end), asked.body.data, sizeof end);
  failure_ = failure_of(end);
  travels_ = nullptr;
  seat_->give_back(stack_);
  state_ = state::ended;
  tell_end();
}

}  // namespace terrane
