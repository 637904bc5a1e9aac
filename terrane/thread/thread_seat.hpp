// SPDX-License-Identifier: Apache-2.0
// thread_seat.hpp: what a processor keeps to run threads: its stacks, and where its loop was left.
//
// Invariants  Made by the processor's own OS thread with its first thread of ours; the places of
//             errno and of the exceptions being handled are that OS thread's.
#pragma once

#include <array>
#include <memory>

#include "terrane/base/context.hpp"
#include "terrane/base/signal_stack.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/thread/stack_pool.hpp"

namespace terrane {

class thread_seat final : public processor_part {
 public:
  /// Of the processor that calls.
  static thread_seat& here();
  explicit thread_seat(processor& of);

  processor& of;
  stack_pool stacks;
  context loop = this_context();  // the processor's own stack, while a thread runs
  int* const errno_place;         // of this OS thread
  std::array<void*, 2>* const exceptions_place;

 private:
  const signal_stack for_overflows_;
};

}  // namespace terrane
