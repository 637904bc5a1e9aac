// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/overflow.hpp"

#include <cstdio>

#include "terrane/base/signal_stack.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

namespace {

constexpr std::size_t farthest_jump = std::size_t{1} << 30;  // an array of that size on a stack

/// True if the fault lies in the thread's guard, or if the stack pointer has left the stack at the
/// low end and jumped over the guard.
void explain(const void* address, const void* stack_pointer) {
  const thread_block* const running = thread_block::current();
  if (!running) return;
  const stack& its = running->its_stack();
  const stack_span guard = stack_pool::guard_of(its);
  const bool in_guard = address >= guard.low && address < guard.high();
  const bool below = stack_pointer < its.span.low && stack_pointer >= its.span.low - farthest_jump;
  if (in_guard || below) stack_overflowed(*running);
}

}  // namespace

void name_overflows() { explain_faults(explain); }

void stack_overflowed(const thread_block& whose) {
  const std::size_t has = whose.its_stack().span.bytes, more = 2 * whose.stack_bytes();
  char with[100], line[400];
  // snprintf of strings and whole numbers allocates nothing and takes no lock.
  switch (whose.size_from()) {
    case stack_from::thread_options:
      std::snprintf(with, sizeof with, "thread_options{.stack_bytes = %zu}", more);
      break;
    case stack_from::thread_main:
      std::snprintf(with, sizeof with, "terrane::thread_main<..., %zu>", more);
      break;
    case stack_from::future:
      std::snprintf(with, sizeof with, "future_options{.stack_bytes = %zu} or --stack %zu", more,
                    more >> 10);
      break;
    case stack_from::message: std::snprintf(with, sizeof with, "--stack %zu", more >> 10); break;
  }
  const int written = std::snprintf(
      line, sizeof line,
      "terrane: R-%d: the stack of thread %s has overflowed: it has %zu bytes; give it more with "
      "%s (on processor %u)\n",
      static_cast<int>(run_time_error::stack_overflow), whose.thread_name(), has, with,
      terrane_here->number);
  const std::size_t bytes = written < 0 ? 0 : static_cast<std::size_t>(written);
  end_with_line(line, bytes < sizeof line ? bytes : sizeof line - 1, exit_run_time_error);
}

}  // namespace terrane
