// SPDX-License-Identifier: Apache-2.0
// traveller.hpp: what a thread that may move takes along, and how that gets there.
//
// Layout      At the top of its stack, at the same address on every node; below it the stack, of
//             which only what is in use travels. It holds no address but its own stack's and the
//             executable's, which lie alike everywhere.
// Invariants  The processor that made the thread gets the stack back at the end. Between two blocks
//             (journey.hpp) it is a token, or an activation that was invoked: one of them holds its
//             address, and nobody else.
// Argument    So a thread is live on one node at a time: whoever takes the token or the message is
//             the only one who reads the traveller, and reads it after the leaving block's last
//             write, since pools and messages order memory.
// Source      [ACTIVE §3.1, §6]; decision 0010.
#pragma once

#include <cstdint>

#include "terrane/base/atomic.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/token.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// Who hears of an arrival: the result is written there, if anywhere; the slot is signalled.
struct migration_answer {
  answer_place where{0, 0};
  void send(migration how) const {
    if (where.to != 0) return where.send({&how, sizeof how});
    signal_if(where.done);
  }
};

/// What is wrong with it as the other end of a move; migration::moved: nothing.
migration another_node(node_id to);

struct alignas(16) traveller {
  static constexpr node_id any_node = ~node_id{0}, nowhere = any_node;

  void (*const run)(void* call);
  void* const call;  // its function and arguments, below on the stack
  terrane_slot_ref home;
  context left;  // where it goes on
  stack its_stack;
  thread_heap* heap = nullptr;  // while it is on its way
  const char* name;
  std::int64_t about;
  int priority;
  stack_from size_from = stack_from::thread_options;
  int errno_kept = 0;
  std::uint32_t pins = 0;
  const char* stays = nullptr;  // why it never leaves its node
  node_id from = 0, goes_to = any_node;
  stack_form goes_as = stack_form::best;
  migration outcome = migration::moved;  // of the last time it was sent off
  migration_answer told;                 // who hears of that
  /// The node that it was sent to and has not come to; nowhere: it has. While that is a node that
  /// is lost nobody else writes here: see bring_back().
  atomic<node_id> under_way{nowhere};

  traveller(const plain_call& calls, void* copy, terrane_slot_ref its_home, const stack& on)
      : run(calls.run), call(copy), home(its_home), its_stack(on) {}

  /// Its token: a thread that any processor may take, or one that stays in its node.
  terrane_token token() const;
  static bool is_in(const terrane_token& token) { return has(*token.function, carries_memory); }
  static traveller& in(const terrane_token& token);

  /// From the stack pointer to the end of this: what travels.
  bytes_view used() const {
    const auto* low = static_cast<const char*>(left.stack_pointer);
    return {low, static_cast<std::size_t>(reinterpret_cast<const char*>(this + 1) - low)};
  }
  /// To a processor of that node, where it hears of that `how`. It may run there, and be gone, when
  /// this returns.
  void send_off(node_id to, stack_form form, migration how = migration::moved);
  /// It was made here, was sent to a node that is lost, and never came there: it goes on where it
  /// was, as if it had not been sent.
  void bring_back_if_lost();

  /// One that is ready on this node and may leave it, from the pool or this processor's tokens:
  /// now nobody else's. Null: there is none.
  static traveller* take_any_ready();
  /// The same for this one, which lay at that place of the pool when it was sent out. It may be
  /// gone, and is not read before it is found.
  bool take_if_ready(std::uint32_t place) const;
  /// What guards its stack here, after the fault handler or the loop was let know.
  stack_guard guard_here() const;

 private:
  /// A processor has taken the token, or was sent it.
  static void board(terrane_processor* here, const void* args);
  static std::size_t weight(const terrane_token& token);
  void send_packed(processor_id target);
  static const carrying_kind roams, stays_home;
  static const registration registered[2];
};

}  // namespace terrane
