// SPDX-License-Identifier: Apache-2.0
// thread_seat.hpp: what a processor keeps to run threads: stacks, and the context of its loop.
//
// Invariants  The processor's own OS thread makes it, for the processor's first thread. The
//             addresses of errno and of the exceptions being handled are those of that OS thread.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "terrane/base/context.hpp"
#include "terrane/base/outside_tasks.hpp"
#include "terrane/base/signal_stack.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/thread/service.hpp"
#include "terrane/thread/stack_pool.hpp"

namespace terrane {

class channel_desk;
class lent_desk;
class migration_events;
class thread_mail;

class thread_seat final : public processor_part {
 public:
  /// The seat of the calling processor.
  static thread_seat& here() {
    processor_part* const known = terrane::here().threads();
    return known ? static_cast<thread_seat&>(*known) : make();
  }
  explicit thread_seat(processor& of);
  ~thread_seat() override;

  processor& of;
  stack_pool stacks;
  /// The pool with the stacks of threads that may move.
  stack_pool& moving_stacks() { return shared_stacks_ ? *shared_stacks_ : stacks; }
  /// What guards, in this process, a stack that has come from another node.
  stack_guard guard_of(const stack& come, node_id made_on);
  void give_back(const stack& ended) {
    const bool shared = shared_stacks_ && shared_stacks_->holds(ended);
    (shared ? *shared_stacks_ : stacks).give_back(ended);
  }
  /// The ends of channels on this processor.
  channel_desk& channels() { return channels_ ? *channels_ : make_channels(); }
  /// What this processor lends, and has read of what others lend.
  lent_desk& lent() { return lent_ ? *lent_ : make_lent(); }
  /// What threads of this processor send one another.
  thread_mail& mail() { return mail_ ? *mail_ : make_mail(); }
  /// The same; null: none did.
  thread_mail* mail_or_null() const { return mail_.get(); }
  service_queue service;
  /// A copy of a thread's name that came in a message; it lives as long as the processor.
  const char* kept_name(const char* name) { return names_.insert(name).first->c_str(); }
  migration_events* migrations = nullptr;  // the callbacks of this processor, or null
  std::uint32_t landings = 0;              // threads sent; picks the processors of a node in turn
  context loop = this_context();           // the processor's own stack, while a thread runs
  int* const errno_place;                  // of this OS thread
  std::array<void*, 2>* const exceptions_place;

  /// Sets the nanoseconds after which a thread gives way where it declares work or passes a
  /// checkpoint; 0: never. Slices begin in the loop.
  void set_slice(std::uint64_t nanoseconds) {
    slice_ns_ = nanoseconds;
    of.keep_to_loop(ready_queue::slices_end, nanoseconds != 0);
  }
  void slice_begins() {
    if (TERRANE_UNLIKELY(slice_ns_ != 0)) slice_began_ = of.world().now();
  }
  /// The running thread gives way if its slice is over.
  void end_slice();

  /// What OS threads that are no processors say to this one: slots to be signalled.
  outside_signals& outside();
  /// Runs task(about) on a helper OS thread, which is no processor; then signals `done` here.
  void run_outside(void (*task)(void*), void* about, terrane_slot_ref done);

  // processor_part
  void heed() override;
  bool expects_more() const override { return outside_ && outside_->expected() != 0; }
  void charged() override { end_slice(); }
  const char* doing() const override;
  void list_ready(std::vector<ready_thread>& into) override;
  bool move_thread(terrane_slot_ref thread, node_id to) override;

 private:
  static thread_seat& make();
  channel_desk& make_channels();
  lent_desk& make_lent();
  thread_mail& make_mail();
  void look_for_lost();
  std::uint64_t slice_ns_ = 0, slice_began_ = 0;
  std::unique_ptr<stack_pool> shared_stacks_;
  visiting_guards visitors_;
  std::uint64_t loss_round_ = 0;  // the world's round of losses, as last seen
  // made on first use
  std::unique_ptr<outside_signals> outside_;
  std::unique_ptr<outside_tasks> helpers_;
  std::unique_ptr<channel_desk> channels_;
  std::unique_ptr<lent_desk> lent_;
  std::unique_ptr<thread_mail> mail_;
  std::set<std::string> names_;
  const signal_stack for_overflows_;
};

}  // namespace terrane
