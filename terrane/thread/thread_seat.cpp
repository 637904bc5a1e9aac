// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_seat.hpp"

#include <cxxabi.h>

#include <cerrno>

#include "terrane/thread/overflow.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

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
  // A page protected here would not be so elsewhere.
  neighbours* const others = of.world().neighbours;
  if (const auto shared = others ? others->moving_stacks(of.number) : std::span<char>();
      !shared.empty())
    shared_stacks_ = std::make_unique<stack_pool>(stack_span{shared.data(), shared.size()},
                                                  stack_guard::pattern);
}

void thread_seat::end_slice() {
  thread_block* const running = thread_block::running_on(of);
  if (slice_ns_ == 0 || !running) return;
  if (of.world().now() - slice_began_ >= slice_ns_) running->yield();
}

const char* thread_seat::doing() const {
  const thread_block* const running = thread_block::running_on(of);
  return running ? running->thread_name() : nullptr;
}

void thread_seat::run_outside(void (*task)(void*), void* about, terrane_slot_ref done) {
  if (!outside_)
    outside_ = std::make_unique<outside_tasks>([this] {
      of.notice();
      of.world().crew.wake(of);
    });
  outside_->run(task, about, done);
}

/// Threads of ours that were under way to a node that is lost. Again in each round: one that is
/// sent off while the news of the loss is on its way is found by the next.
void thread_seat::look_for_lost() {
  const losses* const told = of.world().losses;
  const std::uint64_t round = told ? told->round() : 0;
  if (round == loss_round_) return;
  loss_round_ = round;
  of.frames().for_each_live([](terrane_frame& frame) { thread_block::bring_back_if_lost(frame); });
}

void thread_seat::heed() {
  look_for_lost();
  if (!outside_) return;
  for (const std::uint64_t done : outside_->take_finished()) terrane_signal(done);
}

}  // namespace terrane
