// SPDX-License-Identifier: Apache-2.0
// run_detached.hpp: a call that nobody joins, run by any processor of this node.
//
//   detail::run_detached([work = std::move(work)]() mutable { work(); });
//
// Purpose     What a task group, a submission or a continuation becomes if the thread that makes it
//             will not join it. The call tells of its end by itself.
// Invariants  The token holds the address of the callable, so it stays in its node. It goes to the
//             node's pool, where the others see it, and runs in a thread of its own.
#pragma once

#include <memory>
#include <utility>

#include "terrane/core/processor.hpp"
#include "terrane/core/token.hpp"
#include "terrane/cpp/names.hpp"
#include "terrane/thread/future_answer.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane::detail {

template <class F>
struct detached_call {
  static void run(terrane_processor*, const void* args) {
    thread_block::create(future_thread({}), [call = *static_cast<F* const*>(args)] {
      (*std::unique_ptr<F>(call))();
    }).detach();
  }
  static constexpr terrane_function kind{type_name<F>::text.data(),
                                         nullptr,
                                         0,
                                         0,
                                         0,
                                         sizeof(F*),
                                         run,
                                         nullptr,
                                         nullptr,
                                         stays_in_node};
};

template <class F>
void run_detached(F&& call) {
  using kept = std::decay_t<F>;
  auto* const made = new kept(std::forward<F>(call));
  here().tokens().share(make_token(detached_call<kept>::kind, &made));
}

}  // namespace terrane::detail
