// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/traveller.hpp"

#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

const carrying_kind traveller::roams{
    {"thread", nullptr, 0, 0, 0, sizeof(traveller*), board, nullptr, nullptr, carries_memory},
    weight,
    send};
const carrying_kind traveller::stays_home{{"thread", nullptr, 0, 0, 0, sizeof(traveller*), board,
                                           nullptr, nullptr, carries_memory | stays_in_node},
                                          weight,
                                          send};
const registration traveller::registered[2] = {registration(roams), registration(stays_home)};

terrane_token traveller::token() const {
  const traveller* const self = this;
  return make_token(stays ? stays_home : roams, &self);
}

void traveller::start_here() const {
  const traveller* const self = this;
  terrane::here().start_here(stays ? stays_home : roams, &self);
}

traveller& traveller::in(const terrane_token& token) {
  traveller* found;
  std::memcpy(&found, token.args, sizeof found);
  return *found;
}

// --- on its way ---

#ifdef TERRANE_ASAN
constexpr bool may_pack = false;  // some bytes between the objects on a stack must not be read
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

void traveller::send(const terrane_token& token, node_id to) {
  in(token).send_off(to, stack_form::best);
}

namespace {

/// Sends bytes to the same address on the target. wiped: they are overwritten here before they are
/// sent, since this may be the receiver's memory too.
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

/// Sends the heap first, then the stack's bytes in use, in one message that also announces them.
void traveller::send_packed(processor_id target) {
  const bool wiped = goes_as == stack_form::wiped;
  if (heap)
    heap->for_each_part([&](bytes_view part) {
      terrane::here().send_as(service::thread_heap, 0);
      const put_request where{terrane_place_on(target, part.data), 0};
      send_to_their_place(target, entry::put, where, part, wiped);
    });
  terrane::here().send_as(service::thread, 0);
  const carry_request news{entry_of(roams), terrane_place_on(target, left.stack_pointer),
                           reinterpret_cast<std::uintptr_t>(this)};
  send_to_their_place(target, entry::carry, news, used(), wiped);
}

void traveller::send_off(node_id to, stack_form form, migration how) {
  processor& self = terrane::here();
  const std::uint32_t each = self.processors_per_node();
  const processor_id asked = std::exchange(lands_on, any_processor);
  const processor_id target = asked != any_processor && asked / each == to
                                  ? asked
                                  : to * each + thread_seat::here().landings++ % each;
  from = self.home().number();
  left_ns = self.world().now();
  goes_as = form;
  outcome = how;
  under_way.store(to, memory_order_release);  // bring_back_if_lost() sees all stores above
  if (may_pack && to != from && !stacks_are_shared(self)) {
    send_packed(target);
    // The arrival clears this word of the other copy only. What is lost on its way stays lost.
    under_way.store(nowhere, memory_order_relaxed);
    return;
  }
  if (may_pack && to != from && form != stack_form::best) return send_packed(target);
  const traveller* const news = this;
  self.send_as(service::thread, 0);
  terrane_invoke(target, &roams, &news);
}

void traveller::board(terrane_processor*, const void* args) {
  traveller* comes;
  std::memcpy(&comes, args, sizeof comes);
  filled_elsewhere(comes, sizeof *comes);  // it says where its stack ends
  filled_elsewhere(comes->used().data, comes->used().size);
  const bool is_back = comes->outcome != migration::moved;
  if (migration_events* const hears = thread_seat::here().migrations;
      hears && !is_back && comes->under_way.load(memory_order_relaxed) != nowhere &&
      !hears->accepts(comes->from)) {
    terrane::here().pay_nothing();
    return comes->send_off(comes->from, comes->goes_as, migration::refused);
  }
  journey::arrive(*comes).run_now();
}

/// Then the fault handler knows the guard, or the loop checks the pattern.
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
  // acquire pairs with the release in send_off. The node that should have read the message is lost
  // and never will.
  const node_id to = under_way.load(memory_order_acquire);
  if (to >= terrane_nodes() || !is_lost(to)) return;
  const node_id back = is_lost(from) ? terrane::here().home().number() : from;
  send_off(back, stack_form::best, migration::node_lost);  // its bytes are where they were
}

traveller* traveller::take_any_ready() {
  processor& self = terrane::here();
  const auto wanted = [](const terrane_token& seen) { return is_in(seen) && may_leave_node(seen); };
  terrane_token token;
  const bool found = self.home().exchange().take_back(self, token, wanted) ||
                     self.tokens().take_newest(token, wanted);
  return found ? &in(token) : nullptr;
}

bool traveller::take_if_ready(std::uint32_t place) const {
  processor& self = terrane::here();
  const auto is_it = [this](const terrane_token& seen) {
    return seen.function == &roams && &in(seen) == this;
  };
  terrane_token token;
  return self.home().exchange().take_back_from(place, self, token, is_it) ||
         self.tokens().take_newest(token, is_it);
}

}  // namespace terrane
