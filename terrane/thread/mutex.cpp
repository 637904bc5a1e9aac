// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/mutex.hpp"

#include "terrane/core/failure.hpp"

namespace terrane {

namespace {
constexpr int looks_before_yield = 100;  // these take about as long as a switch
}

// --- mutex ---

mutex::~mutex() {
  if (terrane_is_processor() && (owner() || !waiting_.empty()))
    fail(run_time_error::lock_misused, "a mutex was destroyed while thread %s held it",
         owner() ? owner()->thread_name() : "nobody");
}

bool mutex::wait_to_take(thread_block& me, node_lock::hold& state, std::uint64_t nanoseconds) {
  if (owner() == &me)
    fail(run_time_error::lock_misused, "thread %s would wait for a mutex that it holds itself",
         me.thread_name());
  waiter mine(me);
  if (!waiting_.wait_for(mine, state, nanoseconds, "a mutex")) return false;
  me.takes_lock();
  return true;
}

void mutex::stranger(const thread_block& me) const {
  fail(run_time_error::lock_misused, "thread %s unlocked a mutex that %s%s", me.thread_name(),
       owner() ? "is held by thread " : "nobody holds", owner() ? owner()->thread_name() : "");
}

// --- spin_mutex ---

void spin_mutex::lock() {
  thread_block& me = thread_block::current("lock of a spin_mutex");
  if (owner_.load(memory_order_relaxed) == &me)
    fail(run_time_error::lock_misused, "thread %s would wait for a spin_mutex that it holds itself",
         me.thread_name());
  const std::uint32_t mine = next_ticket_.fetch_add(1, memory_order_relaxed);
  // On a node of one processor nobody can unlock it while we spin.
  const int looks = here().processors_per_node() != 1 ? looks_before_yield : 1;
  for (int i = 1; serving_.load(memory_order_acquire) != mine; ++i) {
    pause_core();
    if (i % looks == 0) me.yield();
  }
  taken_by(me);
}

bool spin_mutex::try_lock() {
  thread_block& me = thread_block::current("lock of a spin_mutex");
  std::uint32_t now = serving_.load(memory_order_acquire);
  if (!next_ticket_.compare_exchange_strong(now, now + 1, memory_order_relaxed)) return false;
  taken_by(me);
  return true;
}

void spin_mutex::unlock() {
  thread_block& me = thread_block::current("unlock of a spin_mutex");
  thread_block* const owner = owner_.load(memory_order_relaxed);
  if (owner != &me)
    fail(run_time_error::lock_misused, "thread %s unlocked a spin_mutex that %s%s",
         me.thread_name(), owner ? "is held by thread " : "nobody holds",
         owner ? owner->thread_name() : "");
  me.gives_back_lock();
  owner_.store(nullptr, memory_order_relaxed);
  serving_.store(serving_.load(memory_order_relaxed) + 1, memory_order_release);
}

// --- condition ---

bool condition::wait_unless(mutex& held, std::uint64_t nanoseconds, const is_so* stops) {
  thread_block& me = thread_block::current("wait for a condition");
  if (!held.held_by_me())
    fail(run_time_error::lock_misused,
         "thread %s waits for a condition with a mutex that it does not hold", me.thread_name());
  waiter mine(me);
  {
    node_lock::hold state(inside_);
    if (stops && stops->answer(stops->about)) return true;
    waiting_.add(mine);
  }
  held.unlock();  // this thread is in the queue already, so a notification from now on finds it
  const bool told = wait_queue::wait_added(mine, inside_, nanoseconds, "a condition");
  held.lock();
  return told;
}

std::uint64_t condition::time_at(std::uint64_t nanoseconds) {
  const std::uint64_t now = terrane_now();
  return nanoseconds > ~now ? wait_queue::for_ever : now + nanoseconds;
}

std::uint64_t condition::time_until(std::uint64_t end) {
  if (end == wait_queue::for_ever) return end;
  const std::uint64_t now = terrane_now();
  return now < end ? end - now : 0;
}

void condition::notify_one() {
  node_lock::hold state(inside_);
  waiter* const next = waiting_.pop();
  state.let_go();
  if (next) wait_queue::wake(*next);
}

void condition::notify_all() {
  node_lock::hold state(inside_);
  waiting_.wake_all();
}

}  // namespace terrane
