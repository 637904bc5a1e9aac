// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/context.hpp"

#include <pthread.h>

#include <cstdint>

#ifdef TERRANE_ASAN
#include <sanitizer/asan_interface.h>
#endif
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif

namespace terrane {

namespace {

// What a switch leaves on a stack, upwards from the stack pointer (context.hpp, context.S). A new
// stack continues in terrane_context_begin, which finds the function to call above it.
#if defined(__x86_64__)
struct saved_registers {
  std::uint32_t mxcsr;
  std::uint16_t x87_control, unused;
  void* next_instruction;
  void *begin, *argument;
};

void lay(saved_registers& saved, void (*begin)(void*), void* argument) {
  asm("stmxcsr %0" : "=m"(saved.mxcsr));
  asm("fnstcw %0" : "=m"(saved.x87_control));
  saved.next_instruction = reinterpret_cast<void*>(&terrane_context_begin);
  saved.begin = reinterpret_cast<void*>(begin);
  saved.argument = argument;
}
#elif defined(__aarch64__)
struct saved_registers {
  std::uint64_t fpcr, unused;
  void* x19_x28[10];
  void *frame_pointer, *next_instruction;
  double d8_d15[8];
};

void lay(saved_registers& saved, void (*begin)(void*), void* argument) {
  asm("mrs %0, fpcr" : "=r"(saved.fpcr));
  saved.x19_x28[0] = reinterpret_cast<void*>(begin);
  saved.x19_x28[1] = argument;
  saved.next_instruction = reinterpret_cast<void*>(&terrane_context_begin);
}
#else
#error "context.S knows x86-64 and aarch64"
#endif

}  // namespace

context this_context() {
  context made;
#ifdef TERRANE_ASAN
  pthread_attr_t about;
  void* low = nullptr;
  if (pthread_getattr_np(pthread_self(), &about) == 0) {
    pthread_attr_getstack(&about, &low, &made.bytes);
    pthread_attr_destroy(&about);
  }
  made.bottom = low;
#endif
#ifdef TERRANE_TSAN
  made.fiber = __tsan_get_current_fiber();
#endif
  return made;
}

context make_context([[maybe_unused]] stack_span stack, char* high, void (*begin)(void*),
                     void* argument) {
  context made;
  // Sixteen bytes stay above what is popped, so that the stack is aligned when begin is called.
  auto* saved = reinterpret_cast<saved_registers*>(high - 16) - 1;
  *saved = {};
  lay(*saved, begin, argument);
  made.stack_pointer = saved;
#ifdef TERRANE_ASAN
  made.bottom = stack.low;
  made.bytes = stack.bytes;
#endif
#ifdef TERRANE_TSAN
  made.fiber = __tsan_create_fiber(0);
#endif
  return made;
}

void unmake_context([[maybe_unused]] context& ended) {
#ifdef TERRANE_TSAN
  if (ended.fiber) __tsan_destroy_fiber(ended.fiber);
  ended.fiber = nullptr;
#endif
}

unsigned announce_stack([[maybe_unused]] stack_span stack) {
#ifdef VALGRIND_STACK_REGISTER
  return VALGRIND_STACK_REGISTER(stack.low, stack.high());
#else
  return 0;
#endif
}

void forget_stack([[maybe_unused]] unsigned announced) {
#ifdef VALGRIND_STACK_DEREGISTER
  VALGRIND_STACK_DEREGISTER(announced);
#endif
}

void empty_stack([[maybe_unused]] stack_span stack) {
#ifdef TERRANE_ASAN
  __asan_unpoison_memory_region(stack.low, stack.bytes);
#endif
#ifdef VALGRIND_MAKE_MEM_UNDEFINED
  static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(stack.low, stack.bytes));
#endif
}

void filled_elsewhere([[maybe_unused]] const void* low, [[maybe_unused]] std::size_t bytes) {
#ifdef VALGRIND_MAKE_MEM_DEFINED
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(low, bytes));
#endif
}

}  // namespace terrane
