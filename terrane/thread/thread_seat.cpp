// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_seat.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "terrane/base/os_locks.hpp"
#include "terrane/core/node.hpp"
#include "terrane/thread/channel_desk.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/lent_desk.hpp"
#include "terrane/thread/overflow.hpp"
#include "terrane/thread/thread_block.hpp"
#include "terrane/thread/thread_mail.hpp"

namespace terrane {

namespace {

/// Checked builds: a thread that waits so stops its processor, and perhaps with it the thread that
/// it waits for.
void tell_of_os_wait() {
  static atomic<bool> told{false};
  const thread_block* const running = thread_block::current();
  if (!running || told.exchange(true, memory_order_relaxed)) return;
  std::fprintf(stderr,
               "terrane: warning: thread %s waits for a condition variable of the C library, and "
               "its processor with it: use a terrane::condition, or wait in terrane::blocking()\n",
               running->thread_name());
}

}  // namespace

thread_seat& thread_seat::make() {
  processor& self = terrane::here();
  self.set_threads(std::make_unique<thread_seat>(self));
  return static_cast<thread_seat&>(*self.threads());
}

// __cxa_eh_globals begins with the stack of caught exceptions and the count of uncaught ones.
thread_seat::thread_seat(processor& self)
    : of(self),
      errno_place(&errno),
      exceptions_place(reinterpret_cast<std::array<void*, 2>*>(abi::__cxa_get_globals())) {
  name_overflows();
  if (os_locks_are_counted) on_os_wait(tell_of_os_wait);
  neighbours* const others = of.world().neighbours;
  if (const auto shared = others ? others->moving_stacks(of.number) : std::span<char>();
      !shared.empty())
    shared_stacks_ = std::make_unique<stack_pool>(stack_span{shared.data(), shared.size()},
                                                  stack_guard::installed);
}

thread_seat::~thread_seat() = default;

channel_desk& thread_seat::make_channels() {
  channels_ = std::make_unique<channel_desk>();
  return *channels_;
}

lent_desk& thread_seat::make_lent() {
  lent_ = std::make_unique<lent_desk>();
  return *lent_;
}

thread_mail& thread_seat::make_mail() {
  mail_ = thread_mail::make();
  return *mail_;
}

stack_guard thread_seat::guard_of(const stack& come, node_id made_on) {
  if (!shared_stacks_ || made_on == of.home().number()) return come.guarded;
  return visitors_.of(come);
}

void thread_seat::end_slice() {
  thread_block* const running = thread_block::running_on(of);
  if (slice_ns_ == 0 || !running) return;
  if (of.world().now() - slice_began_ < slice_ns_) return;
  running->yield();
  // The rest of the work that was charged runs now, in another turn: that is declared, too.
  terrane::here().pay_nothing();
}

const char* thread_seat::doing() const {
  const thread_block* const running = thread_block::running_on(of);
  return running ? running->thread_name() : nullptr;
}

/// The table of threads is the arena.
void thread_seat::list_ready(std::vector<ready_thread>& into) {
  const std::size_t first = into.size();
  of.for_each_ready([&](const terrane_ready& each) {
    terrane_frame* const frame = terrane_frame_at(&of, each.frame);
    joinable* const known = frame->name == each.frame ? thread_in(*frame) : nullptr;
    if (known && !known->is_away())
      into.push_back(journey::describe(static_cast<thread_block&>(*known)));
  });
  std::sort(into.begin() + static_cast<std::ptrdiff_t>(first), into.end(),
            [](const ready_thread& one, const ready_thread& other) {
              return terrane_frame_offset(one.here) < terrane_frame_offset(other.here);
            });
}

bool thread_seat::move_thread(terrane_slot_ref thread, node_id to) {
  terrane_frame* const frame = terrane_frame_at(&of, thread);
  joinable* const known = frame->name == thread ? thread_in(*frame) : nullptr;
  return known && !known->is_away() && !known->ended() &&
         journey::ask_to_go(static_cast<thread_block&>(*known), to);
}

outside_signals& thread_seat::outside() {
  if (!outside_)
    outside_ = std::make_unique<outside_signals>([this] {
      of.notice();
      of.world().crew.wake(of);
    });
  return *outside_;
}

void thread_seat::run_outside(void (*task)(void*), void* about, terrane_slot_ref done) {
  if (!helpers_) helpers_ = std::make_unique<outside_tasks>();
  helpers_->run(task, about, done, outside().expect());
}

/// Brings back this processor's threads that were under way to a node that is lost. It looks again
/// in each round: a thread that was sent while the news of the loss was under way is found in the
/// next.
void thread_seat::look_for_lost() {
  const losses* const told = of.world().losses;
  const std::uint64_t round = told ? told->round() : 0;
  if (round == loss_round_) return;
  loss_round_ = round;
  of.frames().for_each_live([](terrane_frame& frame) {
    if (joinable* const one = thread_in(frame); one && one->is_away())
      static_cast<away_thread*>(one)->bring_back_if_lost();
  });
  if (mail_) mail_->look_for_lost();
}

void thread_seat::heed() {
  look_for_lost();
  if (outside_) outside_->take([](std::uint64_t done) { terrane_signal(done); });
}

}  // namespace terrane
