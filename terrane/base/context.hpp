// SPDX-License-Identifier: Apache-2.0
// context.hpp: a stack and where it was left: leaving one and going on with another.
//
// Purpose     The one place that changes stacks. What a call must keep is kept: the callee-saved
//             registers and the two floating-point control words; those of signals are not.
// Cost        Some twenty instructions. A context is left by pop and jump: a return would be
//             predicted to go where this stack was entered from, and miss.
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
/// Leaves its stack pointer at `from` and goes on where `to` was left (context.S).
void terrane_context_switch(void** from, void* to);
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

/// What runs now, of which nothing is known yet but that it is left in this context.
context this_context();
/// A context that calls begin(argument) on that stack, below `high` (at a multiple of 16), once it
/// is switched to. `begin` never returns: it ends with leave_context.
context make_context(stack_span stack, char* high, void (*begin)(void*), void* argument);
/// A context that never runs again; not the one that runs now.
void unmake_context(context&);

/// From the first lines of a context's `begin`; `from`: what was left for it.
inline void context_entered([[maybe_unused]] context& from) {
#ifdef TERRANE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &from.bottom, &from.bytes);
#endif
}

namespace detail {
inline void switch_between(context& from, context& to, [[maybe_unused]] bool for_good) {
#ifdef TERRANE_ASAN
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.fake_stack, to.bottom, to.bytes);
#endif
#ifdef TERRANE_TSAN
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
  terrane_context_switch(&from.stack_pointer, to.stack_pointer);
#ifdef TERRANE_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, &to.bottom, &to.bytes);
#endif
}
}  // namespace detail

/// Leaves `from`, which runs, and goes on with `to`; returns when something switches to `from`.
/// The two always switch to each other: whoever goes on with `from` left `to`.
inline void switch_context(context& from, context& to) { detail::switch_between(from, to, false); }

/// The same, never to come back.
[[noreturn]] inline void leave_context(context& from, context& to) {
  detail::switch_between(from, to, true);
  __builtin_unreachable();
}

/// Tells valgrind of a stack; what it answers is to be given to forget_stack.
unsigned announce_stack(stack_span stack);
void forget_stack(unsigned announced);

}  // namespace terrane
