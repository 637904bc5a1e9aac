// SPDX-License-Identifier: Apache-2.0
// bundle.hpp: a group of threads with its own scheduling policy, told of every scheduling event.
//
//   bundle newest_first(std::make_unique<lifo>());
//   thread one = thread::create({.in = &newest_first}, work);
//
// Purpose     The policy of a bundle chooses the next of its threads; the processor's loop chooses
//             when the bundle has its turn. Each thread that becomes ready puts one request into
//             the ready queue. When the request is served, the topmost bundle is asked for a thread
//             ("processor idle"). A thread without a bundle is its own request. So the default
//             bundle is the loop itself, and there is one scheduler.
// Invariants  A bundle, its threads and its child bundles belong to one processor. The bundle
//             outlives its threads and its children. A policy's functions run in the loop or in the
//             running thread of that processor, one at a time, and do not block. An exception from
//             one of them ends the run, and so does the choice of a thread that is not ready
//
// Source      [ACTIVE §4.2, Table 1].
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "terrane/thread/thread_block.hpp"

namespace terrane {

class bundle_gate;

/// What a bundle does at each event. A policy of your own must at least keep ready threads and
/// choose the next one.
class bundle_policy {
 public:
  virtual ~bundle_policy() = default;

  // --- the eight internal events ---
  /// A thread is ready from the start: by default the same as on_thread_unblocked.
  virtual void on_thread_created(thread_block& fresh) { on_thread_unblocked(fresh); }
  virtual void on_thread_started(thread_block&) {}
  virtual void on_thread_terminated(thread_block&) {}
  virtual void on_thread_blocked(thread_block&) {}
  /// A thread became ready, or yielded.
  virtual void on_thread_unblocked(thread_block& ready) = 0;
  virtual void on_bundle_created(bundle& /*child*/) {}
  virtual void on_bundle_terminated(bundle& /*child*/) {}
  /// The processor has time for a thread. Returns a ready thread, which the policy no longer keeps;
  /// null: there is none. A policy without a ready thread may forward the event:
  /// asked.ask_children().
  virtual thread_block* on_processor_idle(bundle& asked) = 0;

  // --- events of the user ---
  /// Raised by bundle::raise: forwarded to the parent unless handled.
  virtual void on_event(bundle& in, int kind, void* about);
};

class bundle {
 public:
  /// priority: that of the bundle's requests to the processor. In a hierarchy the priority of the
  /// topmost bundle counts.
  explicit bundle(std::unique_ptr<bundle_policy> policy, bundle* parent = nullptr,
                  int priority = TERRANE_PRIORITY_DEFAULT);
  ~bundle();
  bundle(const bundle&) = delete;
  bundle& operator=(const bundle&) = delete;

  bundle* parent() const { return parent_; }
  bundle_policy& policy() const { return *policy_; }
  /// Replaces the policy from now on. Ready threads go to the new policy in the order in which the
  /// old one would have run them.
  void set_policy(std::unique_ptr<bundle_policy> next);
  /// Raises an event of the user.
  void raise(int kind, void* about = nullptr) { policy_->on_event(*this, kind, about); }
  /// Asks the children in turn; returns the first thread that one of them gives.
  thread_block* ask_children();
  /// Makes one more request for the processor's time: for a policy that held a thread back and
  /// releases it now.
  void ask_processor();

  /// Calls event(policy); an exception from it ends the run.
  template <class Event>
  void tell(Event&& event) {
    try {
      std::forward<Event>(event)(*policy_);
    } catch (...) { policy_threw(); }
  }
  /// A thread enters the bundle, or leaves it.
  void thread_came() { ++threads_; }
  void thread_left() { --threads_; }

 private:
  friend class bundle_gate;
  bundle& top() { return parent_ ? parent_->top() : *this; }
  /// The ready thread that the policy chooses; null: it has none.
  thread_block* next_thread();
  [[noreturn, gnu::cold]] static void policy_threw();

  std::unique_ptr<bundle_policy> policy_;
  bundle* const parent_;
  std::vector<bundle*> children_;
  std::size_t next_child_ = 0, threads_ = 0;
  bundle_gate* gate_ = nullptr;  // only a topmost bundle has one
  bool moving_ = false;          // while set_policy() runs: the children are not asked
};

}  // namespace terrane
