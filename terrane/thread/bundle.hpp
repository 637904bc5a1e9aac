// SPDX-License-Identifier: Apache-2.0
// bundle.hpp: a group of threads with its own scheduling policy, told of every scheduling event.
//
//   bundle newest_first(std::make_unique<lifo>());
//   thread one = thread::create({.in = &newest_first}, work);
//
// Purpose     Who runs next among the threads of a bundle is said by its policy; when the bundle
//             has its turn, by the processor's loop. Each thread that becomes ready puts one
//             request into the ready queue; when that is served, the topmost bundle is asked for a
//             thread ("processor idle"). A thread without a bundle is its own request: so the
//             default bundle is the loop itself, and there is one scheduler.
// Invariants  A bundle, its threads and its child bundles are of one processor. It outlives its
//             threads and its children. A policy's functions run in the loop or in the running
//             thread of that processor, one at a time, and do not block.
// Source      [ACTIVE §4.2, Table 1].
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "terrane/thread/thread_block.hpp"

namespace terrane {

class bundle_gate;

/// What a bundle does at each event: a new policy says at least where a ready thread is kept, and
/// which is next.
class bundle_policy {
 public:
  virtual ~bundle_policy() = default;

  // --- the eight internal events ---
  /// It is ready from the start: as if it had been unblocked, unless said otherwise.
  virtual void on_thread_created(thread_block& fresh) { on_thread_unblocked(fresh); }
  virtual void on_thread_started(thread_block&) {}
  virtual void on_thread_terminated(thread_block&) {}
  virtual void on_thread_blocked(thread_block&) {}
  /// It is ready, or has yielded.
  virtual void on_thread_unblocked(thread_block& ready) = 0;
  virtual void on_bundle_created(bundle& /*child*/) {}
  virtual void on_bundle_terminated(bundle& /*child*/) {}
  /// The processor has time for a thread: one that is ready, no longer kept; null: none. With
  /// nothing of its own it may forward the event: asked.ask_children().
  virtual thread_block* on_processor_idle(bundle& asked) = 0;

  // --- the user's own ---
  /// Raised by bundle::raise: forwarded to the parent unless handled.
  virtual void on_event(bundle& in, int kind, void* about);
};

class bundle {
 public:
  /// priority: of its requests to the processor (of the topmost bundle, for a hierarchy).
  explicit bundle(std::unique_ptr<bundle_policy> policy, bundle* parent = nullptr,
                  int priority = TERRANE_PRIORITY_DEFAULT);
  ~bundle();
  bundle(const bundle&) = delete;
  bundle& operator=(const bundle&) = delete;

  bundle* parent() const { return parent_; }
  bundle_policy& policy() const { return *policy_; }
  /// From now on; threads that are ready go over in the order in which the old policy would have
  /// run them.
  void set_policy(std::unique_ptr<bundle_policy> next);
  /// A user event.
  void raise(int kind, void* about = nullptr) { policy_->on_event(*this, kind, about); }
  /// Forwards "processor idle" to the children, in turn: the first thread that one gives.
  thread_block* ask_children();
  /// One more request for the processor's time: by a policy that has kept back a thread and lets it
  /// go now.
  void ask_processor();

  template <class Event>
  void tell(Event&& event) {
    std::forward<Event>(event)(*policy_);
  }

 private:
  friend class bundle_gate;
  bundle& top() { return parent_ ? parent_->top() : *this; }

  std::unique_ptr<bundle_policy> policy_;
  bundle* const parent_;
  std::vector<bundle*> children_;
  std::size_t next_child_ = 0;
  bundle_gate* gate_ = nullptr;  // of a topmost bundle
  bool moving_ = false;          // to another policy: its children are not asked
};

}  // namespace terrane
