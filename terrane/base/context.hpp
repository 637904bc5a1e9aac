// SPDX-License-Identifier: Apache-2.0
// context.hpp: switching between stacks.
//
// Purpose     The one place that changes stacks. A switch keeps what a call keeps: callee-saved
//             registers and the two floating-point control words. It does not keep signal masks.
// Cost        About twenty instructions, inline, which end in a jump. A return instruction would
//             be mispredicted, since the processor predicts the caller on the old stack; a call of
//             the switch would also make the returns that follow it mispredicted.
//             Nothing is stored for a stack that is entered for the first time or left for good.
// Tools       AddressSanitizer and ThreadSanitizer are told of every switch, valgrind of every
//             stack. Unwinding stops at the foot of each stack.
#pragma once

#include <cstddef>

#include "terrane/base/sanitizers.hpp"

#ifdef TERRANE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef TERRANE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

extern "C" {
#ifdef TERRANE_ASAN
void __asan_handle_no_return(void);
#endif
#if !defined(__x86_64__)
/// Stores the stack pointer at `from` and continues where `to` was left (context.S).
void terrane_context_switch(void** from, void* to);
#endif
/// The foot of a new stack: calls the function and argument that make_context laid there.
void terrane_context_begin(void);
#if defined(__x86_64__)
/// The same for what lies in rax and rdi.
void terrane_context_enter(void);
#endif
}

namespace terrane {

/// Memory for a stack: it grows down from low + bytes.
struct stack_span {
  char* low;
  std::size_t bytes;
  char* high() const { return low + bytes; }
};

struct context {
  void* stack_pointer = nullptr;  // while it does not run
#ifdef TERRANE_ASAN
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
#endif
#ifdef TERRANE_TSAN
  void* fiber = nullptr;
#endif
};

/// The context that runs now, on the stack that the system gave this OS thread.
context this_context();
/// A context that calls begin(argument) on that stack, below `high` (at a multiple of 16), once it
/// is switched to. `begin` never returns: it ends with leave_context.
context make_context(stack_span stack, char* high, void (*begin)(void*), void* argument);
/// True if unmake_context does anything in this build.
#ifdef TERRANE_TSAN
inline constexpr bool contexts_are_unmade = true;
#else
inline constexpr bool contexts_are_unmade = false;
#endif
/// For a context that will never run again, and is not the one that runs now.
void unmake_context(context&);

/// To be called first in a context's `begin`.
inline void context_entered() {
#ifdef TERRANE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

namespace detail {
#if defined(__x86_64__)
// Below the red zone: rbp, rbx, where to go on, the control words (context.cpp: saved_registers).
// All else is clobbered, so that the compiler keeps what it still needs, and no more. A control
// word is loaded only where it differs from the one in force: that costs more than all the rest.
#define TERRANE_LEAVE_STACK     \
  "leaq -128(%%rsp), %%rsp\n\t" \
  "pushq %%rbp\n\t"             \
  "pushq %%rbx\n\t"             \
  "leaq 9f(%%rip), %%rax\n\t"   \
  "pushq %%rax\n\t"             \
  "subq $8, %%rsp\n\t"          \
  "stmxcsr (%%rsp)\n\t"         \
  "fnstcw 4(%%rsp)\n\t"
// eax, dx: the control words in force.
#define TERRANE_TAKE_STACK  \
  "cmpl (%%rsp), %%eax\n\t" \
  "je 1f\n\t"               \
  "ldmxcsr (%%rsp)\n"       \
  "1:\n\t"                  \
  "cmpw 4(%%rsp), %%dx\n\t" \
  "je 2f\n\t"               \
  "fldcw 4(%%rsp)\n"        \
  "2:\n\t"                  \
  "addq $8, %%rsp\n\t"      \
  "popq %%rcx\n\t"          \
  "jmp *%%rcx\n"
#define TERRANE_STACK_TAKEN "9:\n\tpopq %%rbx\n\tpopq %%rbp\n\tleaq 128(%%rsp), %%rsp\n"
#ifdef __AVX512F__
#define TERRANE_MORE_REGISTERS                                                                  \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
      "k7"
#else
#define TERRANE_MORE_REGISTERS
#endif
#define TERRANE_OTHER_REGISTERS                                                                   \
  "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1", "xmm2",   \
      "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
      "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)",               \
      "st(7)" TERRANE_MORE_REGISTERS

[[gnu::always_inline]] inline void switch_stacks(void** from, void* to) {
  asm volatile(TERRANE_LEAVE_STACK
               "movl (%%rsp), %%eax\n\t"
               "movzwl 4(%%rsp), %%edx\n\t"
               "movq %%rsp, (%%rdi)\n\t"
               "movq %%rsi, %%rsp\n\t" TERRANE_TAKE_STACK TERRANE_STACK_TAKEN
               : "+D"(from), "+S"(to)
               :
               : "rax", "rcx", "rdx", TERRANE_OTHER_REGISTERS);
}
/// `high`: at a multiple of 16. The control words stay as they are.
[[gnu::always_inline]] inline void enter_stack(void** from, void* high, void (*begin)(void*),
                                               void* argument) {
  asm volatile(TERRANE_LEAVE_STACK
               "movq %%rsp, (%%rcx)\n\t"
               "movq %%rsi, %%rsp\n\t"
               "movq %%rdx, %%rax\n\t"
               "jmp terrane_context_enter\n" TERRANE_STACK_TAKEN
               : "+c"(from), "+S"(high), "+d"(begin), "+D"(argument)
               :
               : "rax", TERRANE_OTHER_REGISTERS);
}
/// The context that runs will not be resumed. (128 bytes below the stack pointer are the red zone.)
[[noreturn, gnu::always_inline]] inline void take_stack(void* to) {
  asm volatile(
      "movq %%rsi, %%rsp\n\t"
      "stmxcsr -8(%%rsp)\n\t"
      "fnstcw -4(%%rsp)\n\t"
      "movl -8(%%rsp), %%eax\n\t"
      "movzwl -4(%%rsp), %%edx\n\t" TERRANE_TAKE_STACK
      :
      : "S"(to)
      : "memory");
  __builtin_unreachable();
}
#undef TERRANE_LEAVE_STACK
#undef TERRANE_TAKE_STACK
#undef TERRANE_STACK_TAKEN
#undef TERRANE_MORE_REGISTERS
#undef TERRANE_OTHER_REGISTERS
#else
inline void switch_stacks(void** from, void* to) { terrane_context_switch(from, to); }
[[noreturn]] inline void take_stack(void* to) {
  void* left_for_good;
  terrane_context_switch(&left_for_good, to);
  __builtin_unreachable();
}
#endif

/// fake_stack: where AddressSanitizer keeps its state of the stack that is left; null: that stack
/// is finished.
[[gnu::always_inline]] inline void tell_tools([[maybe_unused]] context& to,
                                              [[maybe_unused]] void** fake_stack) {
#ifdef TERRANE_ASAN
  __sanitizer_start_switch_fiber(fake_stack, to.bottom, to.bytes);
#endif
#ifdef TERRANE_TSAN
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
}
}  // namespace detail

/// As switch_context, for a `from` that may be destroyed before its stack continues, perhaps on
/// another OS thread. Then call came_back with the copy.
[[gnu::always_inline]] inline void leave_for(context& from, context& to) {
#ifdef TERRANE_ASAN
  detail::tell_tools(to, &from.fake_stack);
#else
  detail::tell_tools(to, nullptr);
#endif
  detail::switch_stacks(&from.stack_pointer, to.stack_pointer);
}
inline void came_back([[maybe_unused]] context& left) {
#ifdef TERRANE_ASAN
  __sanitizer_finish_switch_fiber(left.fake_stack, nullptr, nullptr);
#endif
}

/// Leaves `from`, which runs, and goes on with `to`; returns when something switches to `from`.
[[gnu::always_inline]] inline void switch_context(context& from, context& to) {
  leave_for(from, to);
  came_back(from);
}

/// The same, to a new stack: there begin(argument) is called, as by make_context. `fresh` is that
/// stack's context from then on.
[[gnu::always_inline]] inline void enter_context(context& from, [[maybe_unused]] context& fresh,
                                                 stack_span stack, void (*begin)(void*),
                                                 void* argument) {
#if defined(__x86_64__) && !defined(TERRANE_ASAN) && !defined(TERRANE_TSAN)
  detail::enter_stack(&from.stack_pointer, stack.high(), begin, argument);
#else
  fresh = make_context(stack, stack.high(), begin, argument);
  switch_context(from, fresh);
#endif
}

/// Leaves the running context for good and continues `to`.
[[noreturn, gnu::always_inline]] inline void leave_context(context& to) {
#ifdef TERRANE_ASAN
  __asan_handle_no_return();  // the next user of this stack finds no poisoned bytes
#endif
  detail::tell_tools(to, nullptr);
  detail::take_stack(to.stack_pointer);
}

/// Tells valgrind of a stack. Pass the result to forget_stack.
unsigned announce_stack(stack_span stack);
void forget_stack(unsigned announced);
/// Tells the tools that a stack is empty: the frames of its last context were abandoned, not
/// returned from.
void empty_stack(stack_span stack);
/// Tells valgrind that bytes of a stack are defined: another process may have written them.
void filled_elsewhere(const void* low, std::size_t bytes);

}  // namespace terrane
