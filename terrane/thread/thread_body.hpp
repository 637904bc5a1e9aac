// SPDX-License-Identifier: Apache-2.0
// thread_body.hpp: the options of a thread, and the callable that it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "terrane/terrane.h"
#include "terrane/thread/stack_pool.hpp"

namespace terrane {

class bundle;

/// Where the size of a thread's stack was set: the report of an overflow names this as what to
/// change.
enum class stack_from : std::uint8_t { thread_options, thread_main, future, message };

struct thread_options {
  const char* name = "thread";  // not copied: a literal, or a string that outlives the thread
  std::size_t stack_bytes = stack_pool::bytes_default;  // rounded up to a power of two
  int priority = TERRANE_PRIORITY_DEFAULT;              // 0 is served first, 7 last
  bundle* in = nullptr;    // its policy says when the thread runs; null: the processor's loop does
  std::int64_t about = 0;  // for policies: the data that it works on (class affinity)
  stack_from size_from = stack_from::thread_options;
};

/// What a thread calls: any callable. A small one lies in the block, a large one in memory of its
/// own.
class thread_body {
  static constexpr std::size_t bytes_max = 48;
  template <class F>
  static constexpr bool fits = sizeof(F) <= bytes_max && alignof(F) <= alignof(void*);

 public:
  template <class F>
  explicit thread_body(F&& call) {
    using kept = std::decay_t<F>;
    if constexpr (fits<kept>) {
      ::new (place_) kept(std::forward<F>(call));
      run_ = [](void* place) {
        auto& call_here = *std::launder(static_cast<kept*>(place));
        struct unmake {
          kept& call_here;
          ~unmake() { call_here.~kept(); }
        } after{call_here};
        call_here();
      };
    } else {
      auto* copy = new kept(std::forward<F>(call));
      ::new (place_) kept*(copy);
      run_ = [](void* place) {
        const std::unique_ptr<kept> call_here(*static_cast<kept**>(place));
        (*call_here)();
      };
    }
  }
  thread_body(const thread_body&) = delete;
  thread_body& operator=(const thread_body&) = delete;
  /// Calls the callable and destroys it; may be called once.
  void run() { run_(place_); }

 private:
  void (*run_)(void*);
  alignas(void*) unsigned char place_[bytes_max];
};

/// The callable of a thread that may move: plain bytes, and the function that calls them.
struct plain_call {
  const void* bytes;
  std::size_t size;
  void (*run)(void* bytes);
};

}  // namespace terrane
