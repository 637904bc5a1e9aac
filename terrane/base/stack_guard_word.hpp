// SPDX-License-Identifier: Apache-2.0
// stack_guard_word.hpp: the word that compilers lay below return addresses, agreed between hosts.
//
// Purpose     A process draws its own guard word when it is started, so a stack that comes from
//             another process would look damaged. Where all processes of a run use one word, it
//             does not.
// Method      On x86-64 glibc keeps the word in each OS thread's own block. A thread may have
//             another one while every function that begins meanwhile also ends meanwhile.
// Limits      Elsewhere the word is the whole process's, and is left as it is.
#pragma once

#include <cstdint>

namespace terrane {

#if defined(__x86_64__)
inline constexpr bool has_own_guard_word = true;
#else
inline constexpr bool has_own_guard_word = false;
#endif

/// This OS thread's guard word is another one while this lives. 0: it stays as it is.
class agreed_guard_word {
 public:
  [[gnu::always_inline]] explicit agreed_guard_word(std::uint64_t word) {
#if defined(__x86_64__)
    asm volatile("mov %%fs:0x28, %0" : "=r"(before_));
    if (word != 0) set(word);
#else
    static_cast<void>(word);
#endif
  }
  agreed_guard_word(const agreed_guard_word&) = delete;
  agreed_guard_word& operator=(const agreed_guard_word&) = delete;
  [[gnu::always_inline]] ~agreed_guard_word() {
#if defined(__x86_64__)
    set(before_);
#endif
  }

 private:
#if defined(__x86_64__)
  [[gnu::always_inline]] static void set(std::uint64_t word) {
    asm volatile("mov %0, %%fs:0x28" : : "r"(word) : "memory");
  }
  std::uint64_t before_;
#endif
};

}  // namespace terrane
