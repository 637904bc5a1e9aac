// SPDX-License-Identifier: Apache-2.0
// atomic.hpp: the one alias through which C++ code uses atomics, so that a model checker can
// replace them: where TERRANE_ATOMICS is defined, others were included before (tests/models). Plain
// C fields have theirs in terrane/c/atomic.h.
#pragma once

#ifndef TERRANE_ATOMICS

#include <atomic>

namespace terrane {

template <class T>
using atomic = std::atomic<T>;

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// For loops that wait: leaves more of the core to its other hardware thread.
inline void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace terrane

#endif
