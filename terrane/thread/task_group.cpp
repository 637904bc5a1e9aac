// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/task_group.hpp"

#include <utility>

#include "terrane/core/failure.hpp"

namespace terrane {

task_group::~task_group() {
  if (!terrane_is_processor()) return;
  try {
    wait();
  } catch (...) {}  // only wait() reports exceptions
}

void task_group::waited_by_another() const {
  fail(run_time_error::future_misused,
       "a task_group was waited for by another thread than the one that made it: wait where it was "
       "made");
}

task_group::guest* task_group::find_guest() {
  const thread_block* const me = thread_block::current();
  const node_lock::hold state(inside_);
  guest* each = guests_;
  while (each && each->who != me) each = each->next;
  return each;
}

void task_group::enter(guest& comes) {
  const node_lock::hold state(inside_);
  comes.next = guests_;
  guests_ = &comes;
}

void task_group::leave(guest& goes) {
  const node_lock::hold state(inside_);
  guest** place = &guests_;
  while (*place != &goes) place = &(*place)->next;
  *place = goes.next;
}

void task_group::add_detached() {
  const node_lock::hold state(inside_);
  ++detached_;
  unusual_.fetch_or(had_detached, memory_order_seq_cst);
}

/// The group may be destroyed as soon as the lock is free, or the owner is woken.
void task_group::end_detached() {
  node_lock::hold state(inside_);
  if (--detached_ != 0 || waits_ == 0) return;
  const terrane_slot_ref owner = std::exchange(waits_, 0);
  state.let_go();
  terrane_signal(owner);
}

void task_group::failed(std::exception_ptr what) {
  const node_lock::hold state(inside_);
  if (!failure_) failure_ = std::move(what);
  unusual_.fetch_or(was_cancelled | has_failed, memory_order_seq_cst);
}

void task_group::end_of_wait() {
  std::exception_ptr failure;
  {
    node_lock::hold state(inside_);
    if (detached_ != 0) {
      waits_ = owner_->expect();
      state.let_go();
      owner_->block("the tasks of a group");
    }
  }
  {
    const node_lock::hold state(inside_);
    failure = std::exchange(failure_, nullptr);
    unusual_.store(detached_ != 0 ? had_detached : 0U, memory_order_relaxed);
  }
  if (failure) std::rethrow_exception(std::move(failure));
}

}  // namespace terrane
