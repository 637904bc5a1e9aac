// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/migration.hpp"

#include <cstring>

#include "terrane/core/entries.hpp"
#include "terrane/core/node.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/thread_seat.hpp"
#include "terrane/thread/traveller.hpp"

namespace terrane {

namespace {

/// A request for a thread, handled on the node from which the thread is taken.
struct steal_request {
  node_id thief;
  migration_answer told;
};

void robbed(terrane_processor*, const void* args) {
  here().pay_nothing();
  steal_request asked;
  std::memcpy(static_cast<void*>(&asked), args, sizeof asked);
  if (another_node(asked.thief) != migration::moved) return;  // the node that asked is lost
  traveller* const ready = traveller::take_any_ready();
  if (!ready) return asked.told.send(migration::nothing_to_take);
  ready->told = asked.told;
  ready->send_off(asked.thief, stack_form::best);
}

const terrane_function robbing{"steal", nullptr, 0,       0, 0, sizeof(steal_request),
                               robbed,  nullptr, nullptr, 0};
const registration robbing_is_known(robbing);

migration push_any(node_id to, stack_form form, const migration_answer& told) {
  if (const migration how = another_node(to); how != migration::moved) return how;
  traveller* const ready = traveller::take_any_ready();
  if (!ready) return migration::nothing_to_take;
  ready->told = told;
  ready->send_off(to, form);
  return migration::moved;
}

migration push_one(const thread& which, node_id to, stack_form form, const migration_answer& told) {
  joinable* const known = which.here_or_null();
  if (!known || known->ended()) return migration::not_ready;
  if (!known->is_away()) return migration::not_migratable;
  return static_cast<away_thread*>(known)->push_to(to, form, told);
}

/// Waits for the answer, if one will come.
template <class Issue>
migration await_answer(const char* what, Issue&& issue) {
  thread_block& me = thread_block::current(what);
  migration how = migration::moved;
  const migration_answer told{{terrane_to_global(&how), me.expect()}};
  const migration begun = issue(told);
  if (begun != migration::moved) {
    terrane_signal(told.where.done);  // nobody else will signal it
    me.block();
    return begun;
  }
  me.block("a migration");
  return how;
}

/// Asynchronous: nobody reads the result, and the slot alone is signalled.
migration_answer signal_only(slot_ref told) { return {{0, told.raw}}; }

}  // namespace

const char* explain(migration what) {
  switch (what) {
    case migration::moved: return "has moved, or may move";
    case migration::is_there: return "is there already";
    case migration::no_such_node: return "was to go to a node that this machine does not have";
    case migration::not_migratable: return "was not made migratable";
    case migration::stays:
      if (const char* const why = here().world().why_threads_stay()) return why;
      return "stays: it has a stack that other nodes do not see, since no other was left";
    case migration::pinned: return "is told to stay where it is";
    case migration::holds_lock: return "holds a lock of this node";
    case migration::handles_exception: return "handles an exception, which lies on this node";
    case migration::has_own_memory:
      return "has a per_thread variable that holds addresses of this node";
    case migration::has_futures:
      return "runs where futures have been spawned that are not joined yet";
    case migration::has_children: return "has branches that run, or lends them data";
    case migration::transfers_data:
      return "transfers data: a message is being copied from or to its memory, or will be received "
             "into memory that is neither its stack nor its heap";
    case migration::expects_signal: return "expects a signal, to a slot of this processor";
    case migration::not_ready:
      return "is not to be had here: another processor took it to run it, it waits, or has ended";
    case migration::nothing_to_take: return "that could move is not there";
    case migration::node_lost: return "was to go to a node whose process has ended";
    case migration::refused: return "was refused by the node that it went to";
  }
  return "did not say";
}

migration push(const thread& which, node_id to, stack_form form) {
  return await_answer(
      "push", [&](const migration_answer& told) { return push_one(which, to, form, told); });
}
migration push(node_id to, stack_form form) {
  return await_answer("push",
                      [&](const migration_answer& told) { return push_any(to, form, told); });
}
migration push_async(const thread& which, node_id to, slot_ref told, stack_form form) {
  return push_one(which, to, form, signal_only(told));
}
migration push_async(node_id to, slot_ref told, stack_form form) {
  return push_any(to, form, signal_only(told));
}

namespace {

migration ask_for_one(node_id from, const migration_answer& told) {
  if (const migration how = another_node(from); how != migration::moved) return how;
  const steal_request asked{here().home().number(), told};
  terrane_invoke(from * here().processors_per_node(), &robbing, &asked);
  return migration::moved;
}

}  // namespace

migration steal_from(node_id from) {
  return await_answer("steal_from",
                      [&](const migration_answer& told) { return ask_for_one(from, told); });
}

migration steal() {
  const node_id all = terrane_nodes(), me = here().home().number();
  for (node_id away = 1; away < all; ++away)
    if (steal_from((me + all - away) % all) == migration::moved) return migration::moved;
  return migration::nothing_to_take;
}

void steal_async(node_id from, migration& result, slot_ref told) {
  const migration begun = ask_for_one(from, {{terrane_to_global(&result), told.raw}});
  if (begun == migration::moved) return;
  result = begun;
  terrane_signal(told.raw);
}

void set_migration_events(migration_events* hears) { thread_seat::here().migrations = hears; }

}  // namespace terrane
