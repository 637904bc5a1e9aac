// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/alt.hpp"

#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "terrane/thread/alarm_clock.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_id.hpp"

namespace terrane {

// --- guards ---

void alt_guard::set_ready(bool ready) {
  if (ready == is_listed) return;
  if (!ready) return of->unlist(*this);
  of->list(*this);
  if (of->waits_ != 0) terrane_signal(std::exchange(of->waits_, 0));
}

void alt_guard::lose() {
  set_ready(false);
  half = nullptr;
  of->all_registered_ = false;
}

void alt::list(alt_guard& one) {
  one.is_listed = true;
  one.next = nullptr;
  one.before = last_;
  (last_ ? last_->next : first_) = &one;
  last_ = &one;
}

void alt::unlist(alt_guard& one) {
  one.is_listed = false;
  (one.before ? one.before->next : first_) = one.next;
  (one.next ? one.next->before : last_) = one.before;
}

// --- made and ended ---

alt::alt(std::span<const choice> guards, bool first_wins)
    : count_(static_cast<std::uint32_t>(guards.size())), by_priority_(first_wins) {
  thread_heap& heap = thread_block::current("alt").heap();
  guards_ =
      static_cast<alt_guard*>(heap.allocate(guards.size() * sizeof(alt_guard), alignof(alt_guard)));
  for (std::uint32_t i = 0; i < count_; ++i) {
    ::new (&guards_[i]) alt_guard{this, guards[i], i};
    if (guards[i].what != choice::end) ++others_;
  }
  describe();
}

alt::~alt() {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (guards_[i].half) guards_[i].half->guard = nullptr;
  thread_block::current("alt").heap().deallocate(guards_, count_ * sizeof(alt_guard),
                                                 alignof(alt_guard));
}

/// For reports: the first guards by name.
void alt::describe() {
  std::size_t at = static_cast<std::size_t>(std::snprintf(text_, sizeof text_, "a choice of"));
  for (std::uint32_t i = 0; i < count_ && at + 24 < sizeof text_; ++i) {
    const choice& one = guards_[i].its;
    const std::string name = one.what == choice::end    ? printed_name(channel_of(one.name))
                             : one.what == choice::time ? "a time"
                                                        : "SKIP";
    at += static_cast<std::size_t>(
        std::snprintf(text_ + at, sizeof text_ - at, "%s %s", i == 0 ? "" : ",", name.c_str()));
  }
}

void alt::enable(std::size_t guard, bool condition) {
  alt_guard& one = guards_[guard];
  if (one.its.enabled == condition) return;
  one.its.enabled = condition;
  if (one.its.what != choice::end) return;
  if (condition) {
    all_registered_ = false;
  } else {
    one.set_ready(false);
    if (one.half) one.half->guard = nullptr;
    one.half = nullptr;
  }
}

// --- registered ---

void alt::register_all(thread_block& me) {
  const bool moved = block_ != me.name();
  all_registered_ = true;
  block_ = me.name();
  for (std::uint32_t i = 0; i < count_; ++i) {
    alt_guard& one = guards_[i];
    if (one.its.what == choice::end && one.its.enabled && (moved || !one.half)) register_one(one);
  }
}

void alt::register_one(alt_guard& one) {
  if (one.is_over) return one.set_ready(true);
  channel_desk& desk = channel_desk::here();
  one.half = desk.attach(one.its.name, one);
  one.is_over = !one.half;
  one.set_ready(one.is_over || desk.is_ready(*one.half));
}

// --- the wait ---

struct alt::alarm final : alarm_clock {
  explicit alarm(alt& whose) : of(whose) {}
  void ring() override { of.ring(); }
  alt& of;
};

void alt::ring() {
  if (waits_ == 0) return;
  is_timed_out_ = true;
  terrane_signal(std::exchange(waits_, 0));
}

/// A guard that is ready now; null: none is.
alt_guard* alt::choose() {
  alt_guard* chosen = first_;
  if (by_priority_ && chosen)
    for (alt_guard* each = first_; each; each = each->next)
      if (each->number < chosen->number) chosen = each;
  if (others_ != 0 && (by_priority_ || !chosen))
    for (std::uint32_t i = 0; i < (chosen ? chosen->number : count_); ++i) {
      alt_guard& one = guards_[i];
      if (one.its.what != choice::end && one.its.nanoseconds == 0 && one.its.enabled) return &one;
    }
  return chosen;
}

alt_guard* alt::first_timer() const {
  alt_guard* found = nullptr;
  if (others_ != 0)
    for (std::uint32_t i = 0; i < count_; ++i) {
      alt_guard& one = guards_[i];
      if (one.its.what == choice::time && one.its.enabled &&
          (!found || one.its.nanoseconds < found->its.nanoseconds))
        found = &one;
    }
  return found;
}

std::size_t alt::wait() {
  thread_block& me = thread_block::current("alt");
  if (TERRANE_UNLIKELY(!all_registered_ || block_ != me.name())) register_all(me);
  alt_guard* chosen = choose();
  const bool waited = !chosen;
  if (waited) {
    alt_guard* const timer = first_timer();
    waits_ = me.expect();
    if (!timer) {
      me.block(text_);
    } else {
      is_timed_out_ = false;
      alarm clock(*this);
      me.block_with_alarm(timer->its.nanoseconds, clock, text_);
    }
    chosen = timer && is_timed_out_ && !first_ ? timer : choose();
  }
  if (chosen->is_listed && chosen != last_) {  // it goes last
    unlist(*chosen);
    list(*chosen);
  }
  const std::size_t number = chosen->number;
  if (waited) me.may_go();
  return number;
}

}  // namespace terrane
