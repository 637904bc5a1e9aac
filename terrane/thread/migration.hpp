// SPDX-License-Identifier: Apache-2.0
// migration.hpp: threads that move to other nodes in the middle of their work, stack and all.
//
//   thread one = thread::create_migratable({}, [](long n) {
//     count_here(n);
//     this_thread::push_self(node_of_the_data(n));     // continues there, locals and callers kept
//     count_here(n);
//   }, 7L);
//
// Purpose     A thread that was made migratable is a token until it first runs; balancers move this
//             token as they move any. Later the thread may move when it asks to (push_self), and
//             when it yields, if a node wants work. Its stack lies at the same address on every
//             node.
// Invariants  A thread moves only while it is ready, and never while something pins it. It is live
//             on one node at a time. Data that its stack points to, outside the stack, stay behind:
//             name shared data by terrane::global places (cpp/global.hpp).
// Source      [ACTIVE §2, §3, §6].
#pragma once

#include <cstdint>

#include "terrane/cpp/slot.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane {

/// The outcome of a move, or what pins the thread.
enum class migration : std::uint32_t {
  moved,              // the thread has moved, or may move
  is_there,           // the thread is on that node already
  no_such_node,       // this machine has no node of that number
  not_migratable,     // the thread was not made migratable
  stays,              // the thread can never leave its node: see explain()
  pinned,             // a stay_here pins it
  holds_lock,         // it holds a lock of this node
  handles_exception,  // the object of the exception lies on this node
  has_own_memory,     // it has per_thread variables that lie on this node
  has_futures,        // it has not joined all futures that it spawned on this processor
  has_children,       // branches of its par run, or it lends data to them
  transfers_data,     // data are being copied from or to its memory, or will be, beyond its stack
  expects_signal,     // it expects a signal to a slot of this processor
  not_ready,          // it runs, waits, has ended, or is ready on another node
  nothing_to_take,    // no thread that may move is ready on that node
  node_lost,          // that node's process has ended; the thread is where it was
  refused,            // that node's migration_events refused it; the thread is where it was
};
/// The same in words that continue "the thread"; a literal.
const char* explain(migration what);

/// How the stack reaches the other node.
enum class stack_form : std::uint8_t {
  best,    // handed over where nodes share memory; packed under world sim, which counts bytes
  packed,  // the bytes in use are sent, as to a host that shares no memory
  wiped,   // the same, and what stays behind is overwritten: shows what did not travel
};

namespace this_thread {

/// migration::moved if push_self would succeed now, else what pins this thread.
inline migration can_migrate() { return journey::may_move(thread_block::current("can_migrate")); }
/// Moves this thread to one of that node's processors, where it continues. If the result is neither
/// `moved` nor `is_there`, the thread is still here. What does not follow: locals of other threads,
/// references into this stack that are kept elsewhere, and an address of errno that the compiler
/// may have kept.
inline migration push_self(node_id to, stack_form form = stack_form::best) {
  return journey::move(thread_block::current("push_self"), to, form);
}

/// This thread stays on its node while such an object lives.
class stay_here {
 public:
  stay_here() { journey::pin(thread_block::current("stay_here")); }
  ~stay_here() { journey::unpin(thread_block::current("stay_here")); }
  stay_here(const stay_here&) = delete;
  stay_here& operator=(const stay_here&) = delete;
};

}  // namespace this_thread

// --- moves of other threads: these are ready, and have not begun or have yielded ---

/// Moves a thread that this processor made to that node; returns when it has arrived. Must be
/// called in a thread.
migration push(const thread& which, node_id to, stack_form form = stack_form::best);
/// The same for any thread that is ready on this node.
migration push(node_id to, stack_form form = stack_form::best);
/// The same without waiting: `moved` means that the thread is under way, and `told` will be
/// signalled on arrival. On any other result `told` is not signalled.
migration push_async(const thread& which, node_id to, slot_ref told = {},
                     stack_form form = stack_form::best);
migration push_async(node_id to, slot_ref told = {}, stack_form form = stack_form::best);

/// Moves a thread that is ready on that node to this one; returns when it has arrived. Must be
/// called in a thread.
migration steal_from(node_id from);
/// The same from the first node that has such a thread; asks the left neighbour first.
migration steal();
/// The same without waiting: the outcome is written to `result`, then `told` is signalled.
void steal_async(node_id from, migration& result, slot_ref told);

/// Callbacks for threads that leave and come, on one processor. They run in its loop, and must not
/// block.
class migration_events {
 public:
  virtual ~migration_events() = default;
  /// `leaves` goes to node `to`; if that is node_id(-1), to any node that takes it.
  virtual void outgoing(thread_block& /*leaves*/, node_id /*to*/) {}
  /// False: a thread that was sent here from that node goes back, and gets `refused`. Called before
  /// the thread comes. Threads that a balancer moves come without this question.
  virtual bool accepts(node_id /*from*/) { return true; }
  /// Returns the bundle that serves it here; null: the loop does.
  virtual bundle* incoming(thread_block& /*comes*/, node_id /*from*/) { return nullptr; }
};
/// Sets the callbacks of this processor; null: none. `hears` must outlive the threads that come.
void set_migration_events(migration_events* hears);

}  // namespace terrane
