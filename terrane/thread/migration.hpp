// SPDX-License-Identifier: Apache-2.0
// migration.hpp: threads that move to other nodes in the middle of their work, stack and all.
//
//   thread one = thread::create_migratable({}, [](long n) {
//     count_here(n);
//     this_thread::push_self(node_of_the_data(n));     // goes on there, locals and callers kept
//     count_here(n);
//   }, 7L);
//
// Purpose     A thread that was made migratable is a token until it first runs, which balancers
//             move as any token. Later it may move where it asks to (push_self), and where it
//             yields, if a node wants work. Its stack lies at the same address on every node.
// Invariants  A thread moves only while it is ready, and never while something pins it. It is live
//             on one node at a time. What its stack points to outside the stack stays behind:
//             shared data are terrane::global places (cpp/global.hpp).
// Source      [ACTIVE §2, §3, §6].
#pragma once

#include <cstdint>

#include "terrane/cpp/slot.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane {

/// How it went, or what pins the thread.
enum class migration : std::uint32_t {
  moved,              // or may move
  is_there,           // already
  no_such_node,       // in this machine
  not_migratable,     // was not made so
  stays,              // cannot leave its node: see explain()
  pinned,             // by a stay_here
  holds_lock,         // of this node
  handles_exception,  // whose object lies on this node
  has_own_memory,     // per_thread variables that lie on this node
  has_futures,        // some that were spawned on this processor are not joined yet
  expects_signal,     // to a slot of this processor
  not_ready,          // runs, waits, has ended, or is ready somewhere else
  nothing_to_take,    // no thread is ready there that may move
  node_lost,          // its process has ended; the thread is where it was
  refused,            // by that node's migration_events; the thread is where it was
};
/// The same as words that follow "the thread"; literals.
const char* explain(migration what);

/// How the stack gets there.
enum class stack_form : std::uint8_t {
  best,    // handed over where nodes share memory; packed under world sim, which counts bytes
  packed,  // the bytes in use are sent, as to a host that shares no memory
  wiped,   // the same, and what stays behind is overwritten: shows what did not travel
};

namespace this_thread {

/// migration::moved if push_self would succeed now, else what pins this thread.
inline migration can_migrate() { return journey::may_move(thread_block::current("can_migrate")); }
/// Goes on on that node, on one of its processors. Anything but `moved` or `is_there`: it is here
/// still. Others' locals, references into this stack kept elsewhere, and the address of errno that
/// the compiler may have kept do not follow.
inline migration push_self(node_id to, stack_form form = stack_form::best) {
  return journey::move(thread_block::current("push_self"), to, form);
}

/// While it lives, this thread stays on its node.
class stay_here {
 public:
  stay_here() { journey::pin(thread_block::current("stay_here")); }
  ~stay_here() { journey::unpin(thread_block::current("stay_here")); }
  stay_here(const stay_here&) = delete;
  stay_here& operator=(const stay_here&) = delete;
};

}  // namespace this_thread

// --- others: threads that are ready, and have not begun or have yielded ---

/// That thread, which this processor made, goes to that node; returns when it has arrived. From a
/// thread.
migration push(const thread& which, node_id to, stack_form form = stack_form::best);
/// Any thread that is ready on this node.
migration push(node_id to, stack_form form = stack_form::best);
/// The same, without waiting: `moved` means under way, and `told` is signalled on arrival; else it
/// is not.
migration push_async(const thread& which, node_id to, slot_ref told = {},
                     stack_form form = stack_form::best);
migration push_async(node_id to, slot_ref told = {}, stack_form form = stack_form::best);

/// A thread that is ready on that node comes here; returns when it has. From a thread.
migration steal_from(node_id from);
/// The same from the first node that has one, beginning with the left neighbour.
migration steal();
/// Without waiting: how it went is written to `result`, then `told` is signalled.
void steal_async(node_id from, migration& result, slot_ref told);

/// Hears of threads that leave and come, on one processor, in its loop; does not block.
class migration_events {
 public:
  virtual ~migration_events() = default;
  /// `leaves` goes to that node, or to whoever takes it (`to` is node_id(-1)).
  virtual void outgoing(thread_block& /*leaves*/, node_id /*to*/) {}
  /// False: a thread that was sent here from that node goes back, and is told `refused`. Asked
  /// before it comes; not of those that a balancer moves.
  virtual bool accepts(node_id /*from*/) { return true; }
  /// Returns the bundle that serves it here; null: the loop does.
  virtual bundle* incoming(thread_block& /*comes*/, node_id /*from*/) { return nullptr; }
};
/// For this processor; null: nobody. It outlives the threads that come.
void set_migration_events(migration_events* hears);

}  // namespace terrane
