// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/signal_stack.hpp"

#include <signal.h>
#include <unistd.h>

#include "terrane/base/atomic.hpp"

namespace terrane {

namespace {

// A signal handler has no object to belong to: this is the process's, as the handler is.
struct fault_handlers {
  atomic<void (*)(const void*)> explain{nullptr};
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

void on_fault(int number, siginfo_t* about, void* registers) {
  handlers().explain.load(memory_order_relaxed)(about->si_addr);
  hand_on(number, about, registers);
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

void explain_faults(void (*explain)(const void* address)) {
  void (*none)(const void*) = nullptr;
  // Whoever is second finds the handlers there, or about to be.
  if (!handlers().explain.compare_exchange_strong(none, explain, memory_order_seq_cst)) return;
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &handlers().before_segv);
  sigaction(SIGBUS, &action, &handlers().before_bus);
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
