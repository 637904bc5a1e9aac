// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/overflow.hpp"

#include <cstdio>

#include "terrane/base/signal_stack.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

namespace {

void explain(const void* address) {
  const thread_block* const running = thread_block::current();
  if (!running) return;
  const stack_span guard = stack_pool::guard_of(running->its_stack());
  if (address >= guard.low && address < guard.high()) stack_overflowed(*running);
}

}  // namespace

void name_overflows() { explain_faults(explain); }

void stack_overflowed(const thread_block& whose) {
  const std::size_t has = whose.its_stack().span.bytes;
  char line[400];
  // snprintf of strings and whole numbers allocates nothing and takes no lock.
  const int written = std::snprintf(
      line, sizeof line,
      "terrane: R-%d: the stack of thread %s has overflowed: it has %zu bytes; give it more with "
      "thread_options{.stack_bytes = %zu} (on processor %u)\n",
      static_cast<int>(run_time_error::stack_overflow), whose.thread_name(), has,
      2 * whose.stack_bytes(), terrane_here->number);
  const std::size_t bytes = written < 0 ? 0 : static_cast<std::size_t>(written);
  end_with_line(line, bytes < sizeof line ? bytes : sizeof line - 1, exit_run_time_error);
}

}  // namespace terrane
