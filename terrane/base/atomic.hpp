// SPDX-License-Identifier: Apache-2.0
// atomic.hpp: the one alias through which the runtime uses atomics, so that a model checker can
// stand in for them.
#pragma once

#include <atomic>

namespace terrane {

template <class T>
using atomic = std::atomic<T>;

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// Tells the core that this is a wait: cheaper for a hyper-thread beside us and for the cache line.
inline void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace terrane
