// SPDX-License-Identifier: Apache-2.0
// signal_stack.hpp: a stack of its own for an OS thread's signal handlers, so that one may still
// speak when the stack is what went wrong; and the handler of faults.
#pragma once

#include <cstddef>
#include <memory>

namespace terrane {

/// For the OS thread that makes it, unless that has one already; until the OS thread ends, or this
/// does.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = std::size_t{64} << 10;
  std::unique_ptr<char[]> memory_;
};

/// From now on a fault (SIGSEGV, SIGBUS) at an address is first told to `explain`, on the signal
/// stack of the thread that caused it; what that returns from goes on to whoever handled faults
/// before. Of up to four functions each is told, in the order of their first calls; a further call
/// sees to it that they still come before other handlers. `explain` may do what a signal handler
/// may.
/// `stack_pointer`: of the thread, at the fault.
using fault_explainer = void (*)(const void* address, const void* stack_pointer);
void explain_faults(fault_explainer explain);

/// One line to stderr, by nothing that a handler must not call, and the end of the process.
[[noreturn]] void end_with_line(const char* line, std::size_t bytes, int exit_code);

}  // namespace terrane
