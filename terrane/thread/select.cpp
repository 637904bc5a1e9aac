// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/select.hpp"

#include <algorithm>
#include <functional>

#include "terrane/base/random.hpp"
#include "terrane/thread/alarm_clock.hpp"

namespace terrane::detail {

namespace {

using holds_of_all = std::optional<node_lock::hold>*;

/// Takes all locks, each once, in the order of their addresses: two threads that select among the
/// same queues take them in the same order.
void lock_all(select_case* const* cases, std::size_t count, holds_of_all holds) {
  const auto next_after = [&](node_lock* last) {
    node_lock* next = nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      node_lock* const one = cases[i]->lock;
      if (one && std::less<>()(last, one) && (!next || std::less<>()(one, next))) next = one;
    }
    return next;
  };
  for (node_lock* next = next_after(nullptr); next; next = next_after(next))
    (holds++)->emplace(*next);
}

void unlock_all(std::size_t count, holds_of_all holds) {
  for (std::size_t i = 0; i < count; ++i) holds[i].reset();
}

/// The time is up: one more who may win.
class select_alarm final : public alarm_clock {
 public:
  select_alarm(selection& of, int which, terrane_slot_ref slot)
      : of_(of), which_(which), slot_(slot) {}
  void ring() override {
    if (of_.win(which_)) terrane_signal(slot_);
  }

 private:
  selection& of_;
  const int which_;
  const terrane_slot_ref slot_;
};

/// Where the look at the cases begins: drawn anew each time, so that those that are always ready
/// share alike, whatever the thread selects among in between. The same in each run of world sim.
std::size_t first_look(thread_block& me, std::size_t count) {
  return random_stream(me.id(), me.next_choice()).below(static_cast<std::uint32_t>(count));
}

}  // namespace

std::size_t select_among(select_case* const* cases, std::size_t count,
                         std::optional<node_lock::hold>* holds) {
  thread_block& me = thread_block::current("select");
  std::size_t soonest = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (cases[i]->nanoseconds < cases[soonest]->nanoseconds) soonest = i;
  const std::uint64_t longest = cases[soonest]->nanoseconds;

  lock_all(cases, count, holds);
  const std::size_t first = first_look(me, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t chosen = (first + i) % count;
    waiter* wakes = nullptr;
    if (!cases[chosen]->try_now(wakes)) continue;
    unlock_all(count, holds);
    if (wakes) wait_queue::wake(*wakes);
    return chosen;
  }
  if (longest == 0) {
    unlock_all(count, holds);
    return soonest;
  }
  selection mine;
  const terrane_slot_ref slot = me.expect();
  for (std::size_t i = 0; i < count; ++i) cases[i]->enter(me, mine, static_cast<int>(i), slot);
  unlock_all(count, holds);
  if (longest == wait_queue::for_ever) {
    me.block("one of several items");
  } else {
    select_alarm alarm(mine, static_cast<int>(soonest), slot);
    me.block_with_alarm(longest, alarm, "one of several items");
  }
  for (std::size_t i = 0; i < count; ++i)
    if (cases[i]->lock) {
      const node_lock::hold state(*cases[i]->lock);
      cases[i]->leave();
    }
  return static_cast<std::size_t>(mine.won());
}

}  // namespace terrane::detail
