// SPDX-License-Identifier: Apache-2.0
// blocking.hpp: system calls that block, on a helper OS thread.
//
//   const ssize_t got = blocking([&] { return read(file, buffer, sizeof buffer); });
//
// Purpose     A call that would stop the whole processor is made on a helper OS thread.
// Invariants  The calling thread waits; result, exception and errno are those of the call. Under
//             world sim the call is made here, at once, and costs its measured time.
#pragma once

#include <cerrno>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// Runs task(about) on a helper thread and blocks this thread until the task is done; errno is then
/// the task's.
void block_outside(void (*task)(void*), void* about);

template <class F>
auto blocking(F&& call) -> std::invoke_result_t<F> {
  using answer = std::invoke_result_t<F>;
  struct work {
    F& call;
    std::exception_ptr failure{};
    std::conditional_t<std::is_void_v<answer>, char, std::optional<answer>> result{};
  } mine{call};
  block_outside(
      [](void* raw) {
        work& its = *static_cast<work*>(raw);
        try {
          if constexpr (std::is_void_v<answer>)
            its.call();
          else
            its.result.emplace(its.call());
        } catch (...) { its.failure = std::current_exception(); }
      },
      &mine);
  if (mine.failure) std::rethrow_exception(std::move(mine.failure));
  if constexpr (!std::is_void_v<answer>) return std::move(*mine.result);
}

}  // namespace terrane
