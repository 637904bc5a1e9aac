// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/code_layout.hpp"

#include <link.h>

#include <cstddef>

#include "terrane/base/stack_guard_word.hpp"

#if !defined(__x86_64__)
extern "C" std::uintptr_t __stack_chk_guard __attribute__((weak));
#endif

namespace terrane {

namespace {

void mix_in(std::uint64_t& all, std::uint64_t one) {
  all = (all ^ one) * 0x9e3779b97f4a7c15u;
  all ^= all >> 32;
}

void mix_in_guards(std::uint64_t& all) {
#if defined(__x86_64__)
  // Where the ABI keeps the stack protector's guard and the value that setjmp mixes into addresses.
  std::uint64_t of_stacks, of_jumps;
  asm("mov %%fs:0x28, %0" : "=r"(of_stacks));
  asm("mov %%fs:0x30, %0" : "=r"(of_jumps));
  mix_in(all, of_stacks);
  mix_in(all, of_jumps);
#else
  if (&__stack_chk_guard) mix_in(all, __stack_chk_guard);
#endif
}

}  // namespace

std::uint64_t code_layout(guard_words guards) {
  std::uint64_t all = 0;
  const auto add = [](dl_phdr_info* object, std::size_t, void* to) {
    mix_in(*static_cast<std::uint64_t*>(to), object->dlpi_addr);
    return 0;
  };
  dl_iterate_phdr(add, &all);
  if (guards == guard_words::own || !has_own_guard_word) mix_in_guards(all);
  return all;
}

}  // namespace terrane
