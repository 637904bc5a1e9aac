// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread.hpp"

#include "terrane/cpp/global.hpp"
#include "terrane/thread/thread_end.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

terrane::joinable* thread::here_or_null() const {
  auto* const found = terrane::joinable::find(name_);
  if (TERRANE_UNLIKELY(!found && processor_of(name_) == here().number))
    fail(run_time_error::thread_misused,
         "a thread was joined or detached that had been already, or never was");
  return found;
}

void thread::join() {
  auto* const whose = here_or_null();
  if (!whose) return join_elsewhere();
  if (!whose->ended()) whose->wait_until_ended();
  name_ = 0;
  whose->collect();
}

void thread::join_elsewhere() {
  thread_block& me = thread_block::current("join");
  signal_at_end({me.expect()});
  me.block("the end of a thread");
  here().pay_nothing();
  thread_end how;
  ask<thread_block>(std::exchange(name_, 0), terrane::joinable::collect_end,
                    answer_place{terrane_to_global(&how), me.expect()});
  me.block("the end of a thread");
  rethrow(how);
}

void thread::signal_at_end(slot_ref told) const {
  if (auto* const whose = here_or_null())
    whose->signal_at_end(told.raw);
  else
    ask<thread_block>(name_, terrane::joinable::await_end, told.raw);
}

void thread::detach() {
  auto* const whose = here_or_null();
  const terrane_slot_ref name = std::exchange(name_, 0);
  if (whose)
    whose->detach();
  else
    ask<thread_block>(name, terrane::joinable::let_go);
}

/// A fiber cannot wait for the thread, so it detaches it. After the run there is nothing to do.
void thread::drop() noexcept {
  if (!terrane_is_processor()) return;
  try {
    if (this_thread::exists())
      join();
    else
      detach();
  } catch (...) {}  // only join() reports exceptions
}

void this_thread::checkpoint() {
  thread_seat::here().end_slice();
  thread_block* const me = thread_block::current();
  if (me && me->heap_or_null() && me->heap_or_null()->is_cancelled) throw thread_cancelled();
  if (me) me->may_go();
}

void set_time_slice(std::uint64_t nanoseconds) { thread_seat::here().set_slice(nanoseconds); }

void this_thread::sleep_for(how_long time) {
  thread_block& me = thread_block::current("sleep_for");
  terrane_after(time.nanoseconds(), me.expect());
  me.block("a time");
}

}  // namespace terrane
