// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/signal_stack.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <mutex>

#include "terrane/base/atomic.hpp"
#include "terrane/base/spin_lock.hpp"

namespace terrane {

namespace {

// Global, as the signal handler is: one for each process.
struct fault_handlers {
  spin_lock adding;
  // Whoever holds `adding` writes, the handler reads; relaxed: a function is no more than its code.
  std::array<atomic<fault_explainer>, 4> explain{};
  struct sigaction before_segv{}, before_bus{};
};
fault_handlers& handlers() {
  static fault_handlers of_process;
  return of_process;
}

/// As if there had been no handler of ours. The fault comes again when this returns.
void hand_on(int number, siginfo_t* about, void* registers) {
  const struct sigaction& before =
      number == SIGSEGV ? handlers().before_segv : handlers().before_bus;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, about, registers);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(number);
  sigaction(number, &before, nullptr);
}

const void* stack_pointer_in(const void* registers) {
  const mcontext_t& saved = static_cast<const ucontext_t*>(registers)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(saved.gregs[REG_RSP]);
#else
  return reinterpret_cast<const void*>(saved.sp);
#endif
}

void on_fault(int number, siginfo_t* about, void* registers) {
  for (const auto& each : handlers().explain)
    if (const auto explain = each.load(memory_order_relaxed))
      explain(about->si_addr, stack_pointer_in(registers));
  hand_on(number, about, registers);
}

/// Before whoever handles that signal now.
void come_first(int number, struct sigaction& before) {
  struct sigaction now{}, action{};
  if (sigaction(number, nullptr, &now) != 0 || now.sa_sigaction == on_fault) return;
  before = now;
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(number, &action, nullptr);
}

}  // namespace

signal_stack::signal_stack() {
  stack_t known{};
  if (sigaltstack(nullptr, &known) == 0 && (known.ss_flags & SS_DISABLE) == 0) return;
  memory_.reset(new char[bytes]);
  known = {};
  known.ss_sp = memory_.get();
  known.ss_size = bytes;
  if (sigaltstack(&known, nullptr) != 0) memory_.reset();
}

signal_stack::~signal_stack() {
  stack_t known{};
  const bool still_ours =
      memory_ && sigaltstack(nullptr, &known) == 0 && known.ss_sp == memory_.get();
  if (!still_ours) return;
  known = {};
  known.ss_flags = SS_DISABLE;
  sigaltstack(&known, nullptr);
}

void explain_faults(fault_explainer explain) {
  fault_handlers& all = handlers();
  const std::lock_guard hold(all.adding);
  for (auto& each : all.explain) {
    const auto known = each.load(memory_order_relaxed);
    if (known && known != explain) continue;
    each.store(explain, memory_order_relaxed);
    break;
  }
  come_first(SIGSEGV, all.before_segv);
  come_first(SIGBUS, all.before_bus);
}

void end_with_line(const char* line, std::size_t bytes, int exit_code) {
  while (bytes != 0) {
    const ssize_t written = write(STDERR_FILENO, line, bytes);
    if (written <= 0) break;
    line += written;
    bytes -= static_cast<std::size_t>(written);
  }
  _exit(exit_code);
}

}  // namespace terrane
