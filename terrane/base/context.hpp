// SPDX-License-Identifier: Apache-2.0
// context.hpp: a stack and where it was left: leaving one and going on with another.
//
// Purpose     The one place that changes stacks. What a call must keep is kept: the callee-saved
//             registers and the two floating-point control words; those of signals are not.
// Cost        Some twenty instructions, in line: left by pop and jump. A return would be predicted
//             to go where this stack was entered from, and miss; and a call of the switch itself
//             would make the returns that follow it miss, each of them.
// Tools       AddressSanitizer and ThreadSanitizer are told of every switch, valgrind of every
//             stack. The unwinder finds its end at the foot of each stack.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TERRANE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TERRANE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TERRANE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TERRANE_TSAN 1
#endif
#endif

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
/// Leaves its stack pointer at `from` and goes on where `to` was left (context.S).
void terrane_context_switch(void** from, void* to);
#endif
/// The foot of a new stack: calls the function and argument that make_context laid there.
void terrane_context_begin(void);
}

namespace terrane {

/// Memory for a stack: it grows down from low + bytes.
struct stack_span {
  char* low = nullptr;
  std::size_t bytes = 0;
  char* high() const { return low + bytes; }
};

struct context {
  void* stack_pointer = nullptr;  // of one that does not run
#ifdef TERRANE_ASAN
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
#endif
#ifdef TERRANE_TSAN
  void* fiber = nullptr;
#endif
};

/// What runs now, on the stack that the system gave this OS thread.
context this_context();
/// A context that calls begin(argument) on that stack, below `high` (at a multiple of 16), once it
/// is switched to. `begin` never returns: it ends with leave_context.
context make_context(stack_span stack, char* high, void (*begin)(void*), void* argument);
/// Whether unmake_context has something to do.
#ifdef TERRANE_TSAN
inline constexpr bool contexts_are_unmade = true;
#else
inline constexpr bool contexts_are_unmade = false;
#endif
/// A context that never runs again; not the one that runs now.
void unmake_context(context&);

/// From the first lines of a context's `begin`.
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
[[gnu::always_inline]] inline void switch_stacks(void** from, void* to) {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushq %%rbp\n\t"
      "pushq %%rbx\n\t"
      "leaq 9f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "subq $8, %%rsp\n\t"
      "stmxcsr (%%rsp)\n\t"
      "fnstcw 4(%%rsp)\n\t"
      "movl (%%rsp), %%eax\n\t"
      "movzwl 4(%%rsp), %%edx\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rsi, %%rsp\n\t"
      "cmpl (%%rsp), %%eax\n\t"
      "je 1f\n\t"
      "ldmxcsr (%%rsp)\n"
      "1:\n\t"
      "cmpw 4(%%rsp), %%dx\n\t"
      "je 2f\n\t"
      "fldcw 4(%%rsp)\n"
      "2:\n\t"
      "addq $8, %%rsp\n\t"
      "popq %%rcx\n\t"
      "jmp *%%rcx\n"
      "9:\n\t"
      "popq %%rbx\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp\n"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
        "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)",
        "st(5)", "st(6)", "st(7)"
#ifdef __AVX512F__
        ,
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",
        "k7"
#endif
  );
}
#else
inline void switch_stacks(void** from, void* to) { terrane_context_switch(from, to); }
#endif

/// fake_stack: where AddressSanitizer is to keep what it knows of `from`; null: that is over.
[[gnu::always_inline]] inline void go_on_with(context& from, context& to,
                                              [[maybe_unused]] void** fake_stack) {
#ifdef TERRANE_ASAN
  __sanitizer_start_switch_fiber(fake_stack, to.bottom, to.bytes);
#endif
#ifdef TERRANE_TSAN
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
  switch_stacks(&from.stack_pointer, to.stack_pointer);
}
}  // namespace detail

/// Leaves `from`, which may be gone when its stack goes on, perhaps on another OS thread: then
/// came_back is to be told of its copy.
[[gnu::always_inline]] inline void leave_for(context& from, context& to) {
#ifdef TERRANE_ASAN
  detail::go_on_with(from, to, &from.fake_stack);
#else
  detail::go_on_with(from, to, nullptr);
#endif
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

/// The same, never to come back.
[[noreturn, gnu::always_inline]] inline void leave_context(context& from, context& to) {
#ifdef TERRANE_ASAN
  __asan_handle_no_return();  // whoever has this stack next finds it without marks
#endif
  detail::go_on_with(from, to, nullptr);
  __builtin_unreachable();
}

/// Tells valgrind of a stack; what it answers is to be given to forget_stack.
unsigned announce_stack(stack_span stack);
void forget_stack(unsigned announced);

}  // namespace terrane
