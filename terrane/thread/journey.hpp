// SPDX-License-Identifier: Apache-2.0
// journey.hpp: a thread that may move: its record at home, and its steps from node to node.
//
//   begin     at home: makes a record, a stack, and on it a traveller, which waits as a token
//             (traveller.hpp)
//   arrive    where the token was taken or sent to: makes a thread_block of that processor
//   move      the running thread asks to go on on another node
//   offer     the running thread yields, and any node that wants work may take it
//   ask_to_go a balancer wants it elsewhere: it departs from where it stands in a yield, or goes at
//             its next safe point
//   depart    in the loop: the thread leaves its block, and the traveller is on its way again
//   finish    the thread has ended: its record at home is told
//
// Invariants  The record is what is joined. Where the thread runs it has a block, which nobody
//             joins. Between two blocks exactly one token or message holds the traveller's address.
// Source      [ACTIVE §3.1, §6]; decision 0010.
#pragma once

#include <type_traits>

#include "terrane/core/balancer.hpp"
#include "terrane/thread/joinable.hpp"
#include "terrane/thread/thread_body.hpp"

namespace terrane {

enum class migration : std::uint32_t;
enum class stack_form : std::uint8_t;
struct migration_answer;
struct traveller;
class thread_block;

/// The record, at home, of a thread that may move. The thread may be on any node.
class away_thread final : public joinable {
 public:
  /// The thread is a token; on_this: it begins on this processor instead.
  away_thread(const thread_options& how, const plain_call& call, bool on_this);
  /// Sends the thread to that node if it is ready here. `told` is told of the arrival.
  migration push_to(node_id node, stack_form form, const migration_answer& told);
  void bring_back_if_lost();

  const char* waits_for() const override { return ended() ? nullptr : "its own end, elsewhere"; }
  void operate(const operation_request& asked) override;

 private:
  const char* take_stack(const thread_options& how);
  stack stack_;
  traveller* travels_;
  std::uint32_t queued_at_ = 0;  // the place in the node's pool that its token had at first
};

/// The steps of a journey; a friend of thread_block.
struct journey {
  /// R-240 if there is no memory.
  static away_thread& begin(const thread_options& how, const plain_call& call, bool on_this);
  static thread_block& arrive(traveller& comes);
  /// Moves the running thread to that node, or returns what pins it here.
  static migration move(thread_block& running, node_id node, stack_form form);
  /// The same to a processor, which may be one of this node.
  static migration move_to(thread_block& running, processor_id to);
  /// Offers a thread that yields to other nodes. False: it stays here.
  static bool offer(thread_block& yields);
  /// Yields, and may be taken meanwhile from where it stands.
  static void stand(thread_block& yields);
  /// What a balancer sees of it.
  static ready_thread describe(thread_block& one);
  /// A balancer wants that thread of this processor there. False: it stays.
  static bool ask_to_go(thread_block& one, node_id to);
  /// A safe point of the running thread, which is asked to move. True: it has been elsewhere.
  static bool go_where_asked(thread_block& running);
  static void depart(thread_block& leaves);
  static void finish(thread_block& ended);

  /// What pins the running thread to its node; migration::moved: nothing does.
  static migration may_move(const thread_block& one);
  /// The same for one that does not run, as far as it is known before it goes on.
  static migration may_be_asked(const thread_block& one);
  static void pin(thread_block& one);
  static void unpin(thread_block& one);
  /// Counts a par of that thread, which keeps it on its node.
  static void has_children(thread_block& one, int more);

 private:
  static void leave_node(thread_block& leaves);
  static void tell_outgoing(thread_block& leaves, node_id to);
  /// The first code that runs on the thread's stack.
  static void run(void* raw_traveller);
  static migration what_pins(const thread_block& one);
  /// Moves the running thread unless `how`, or what pins it, says why not.
  static migration go(thread_block& running, migration how, node_id node, processor_id lands_on,
                      stack_form form);
  friend class away_thread;
};

/// on_this: the thread begins on this processor; else it is a token at first.
template <class F>
away_thread& begin_journey(const thread_options& how, const F& call, bool on_this = false) {
  static_assert(std::is_trivially_copy_constructible_v<F> && std::is_trivially_destructible_v<F>,
                "what a thread calls that may move is copied as bytes: let it capture plain "
                "values, and hold the rest behind a terrane::global");
  return journey::begin(how, {&call, sizeof call, [](void* its) { (*static_cast<F*>(its))(); }},
                        on_this);
}

}  // namespace terrane
