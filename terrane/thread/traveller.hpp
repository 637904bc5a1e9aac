// SPDX-License-Identifier: Apache-2.0
// traveller.hpp: what a thread that may move takes along, and how that reaches the other node.
//
// Layout      A traveller lies at the top of its thread's stack, at the same address on every node.
//             Of the stack below it only the part in use travels. It holds only addresses in its
//             own stack and in the executable, which are the same on every node.
// Invariants  The processor that made the thread gets the stack back at the end. Between two blocks
//             (journey.hpp) the thread is a token, or an activation that was invoked: exactly one
//             of them holds the traveller's address, and nothing else does.
// Argument    So a thread is live on one node at a time: only the processor that takes the token or
//             the message reads the traveller, and it reads after the last write of the block that
//             the thread left, since pools and messages order memory.
// Source      [ACTIVE §3.1, §6]; decision 0010.
#pragma once

#include <cstdint>

#include "terrane/base/atomic.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/token.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// Who is told of an arrival: the result is written to `where`, if that names a place, and its slot
/// is signalled.
struct migration_answer {
  answer_place where{0, 0};
  void send(migration how) const {
    if (where.to != 0) return where.send({&how, sizeof how});
    signal_if(where.done);
  }
};

/// Why that node cannot be the other end of a move; migration::moved: it can.
migration another_node(node_id to);

struct alignas(16) traveller {
  static constexpr node_id any_node = ~node_id{0}, nowhere = any_node;

  void (*const run)(void* call);
  void* const call;  // its function and arguments, on the stack below the traveller
  terrane_slot_ref home;
  context left;  // where the thread continues
  stack its_stack;
  thread_heap* heap = nullptr;  // while it is on its way
  const char* name;
  std::int64_t about;
  int priority;
  stack_from size_from = stack_from::thread_options;
  int errno_kept = 0;
  std::uint32_t pins = 0;
  std::uint32_t children = 0;        // pars of it that have not ended
  std::uint32_t departures = 0;      // how often it has left, or was queued for others to take
  const char* stays = nullptr;       // why it never leaves its node
  bool stands = false;               // it has yielded, and may be taken from where it stands
  bool by_policy = false;            // it is on its way because a balancer said so
  node_id asked_to = any_node;       // where a balancer wants it
  channel_half* last_end = nullptr;  // while it is on its way: the end that it used last
  node_id from = 0, goes_to = any_node;
  static constexpr processor_id any_processor = ~processor_id{0};
  processor_id lands_on = any_processor;  // of that node
  std::uint64_t left_ns = 0;  // when it was sent off, by its node's clock; 0: it was not
  stack_form goes_as = stack_form::best;
  migration outcome = migration::moved;  // of the last time that it was sent off
  migration_answer told;                 // who is told of that outcome
  /// The node that it was sent to and has not reached; nowhere: it has. The sender stores it with
  /// release, and bring_back_if_lost() loads it with acquire. While it names a lost node, nobody
  /// else writes here.
  atomic<node_id> under_way{nowhere};

  traveller(const plain_call& calls, void* copy, terrane_slot_ref its_home, const stack& on)
      : run(calls.run), call(copy), home(its_home), its_stack(on) {}

  /// Queues the thread on this processor.
  void start_here() const;
  /// The thread as a token, which any processor may take, or only those of its node.
  terrane_token token() const;
  static bool is_in(const terrane_token& token) { return has(*token.function, carries_memory); }
  static traveller& in(const terrane_token& token);

  /// The bytes that travel: from the stack pointer to the end of the traveller.
  bytes_view used() const {
    const auto* low = static_cast<const char*>(left.stack_pointer);
    return {low, static_cast<std::size_t>(reinterpret_cast<const char*>(this + 1) - low)};
  }
  /// Sends the thread to a processor of that node, where `how` is the result of its move. It may
  /// already run there, and have ended, when this returns.
  void send_off(node_id to, stack_form form, migration how = migration::moved);
  /// If the thread, which was made here, was sent to a node that is lost and never reached it, it
  /// continues where it was, as if it had not been sent.
  void bring_back_if_lost();

  /// Takes a thread that is ready on this node and may leave it, from the pool or from this
  /// processor's tokens; from then on nobody else can take it. Null: there is none.
  static traveller* take_any_ready();
  /// Takes this thread if it is ready; it lay at that place of the pool when it was queued. It may
  /// have ended, so the traveller is not read before its token is found.
  bool take_if_ready(std::uint32_t place) const;
  /// What guards its stack in this process; lays a pattern if no better guard can be made.
  stack_guard guard_here() const;

 private:
  /// Run by the processor that has taken the token, or to which it was sent.
  static void board(terrane_processor* here, const void* args);
  static std::size_t weight(const terrane_token& token);
  static void send(const terrane_token& token, node_id to);
  void send_packed(processor_id target);
  static const carrying_kind roams, stays_home;
  static const registration registered[2];
};

}  // namespace terrane
