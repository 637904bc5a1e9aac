// SPDX-License-Identifier: Apache-2.0
// senders.hpp: a scheduler for std::execution, as its reference implementation (stdexec) has it.
//
//   auto both = stdexec::when_all(
//       stdexec::schedule(scheduler{}) | stdexec::then([] { return fib(30); }),
//       stdexec::schedule(scheduler{}) | stdexec::then([] { return fib(31); }));
//   auto [x, y] = *terrane::sync_wait(std::move(both));       // this thread waits, no processor
//
// Purpose     Senders that run in threads of this node: they may block, spawn and join. The header
//             needs stdexec, and nothing else of Terrane does (docs/senders.md).
// Invariants  What schedule() completes is a thread of its own, run by any processor of the node;
//             its stack is that of a future (--stack). The operation lives until it completes,
//             which is the receiver's part of the contract.
// Cost        schedule: an allocation, a token in the node's pool, and a thread.
// Source      P2300 [exec.sched]; stdexec at tag nvhpc-26.05.
#pragma once

#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <stdexec/execution.hpp>

#include "terrane/runtime.hpp"
#include "terrane/thread/run_detached.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// Runs senders in threads of this node. By default for what runs in a machine: threads, fibers,
/// coroutines. With a runtime, for every thread of the process, while the runtime exists.
class scheduler {
 public:
  using scheduler_concept = stdexec::scheduler_tag;

  scheduler() = default;
  explicit scheduler(runtime& of) noexcept : of_(&of) {}

  class sender;
  sender schedule() const noexcept;
  bool operator==(const scheduler&) const = default;
  /// Threads of Terrane run when a processor is free, and give way where they block.
  static stdexec::forward_progress_guarantee query(
      stdexec::get_forward_progress_guarantee_t) noexcept {
    return stdexec::forward_progress_guarantee::parallel;
  }

 private:
  /// Runs the call in a thread of the node. R-273 from a foreign thread, unless there is a runtime.
  template <class F>
  void run(F&& call) const {
    if (of_ && !terrane_is_processor())
      of_->post(std::forward<F>(call));
    else
      detail::run_detached(std::forward<F>(call));
  }

  runtime* of_ = nullptr;
};

/// What schedule() returns.
class scheduler::sender {
 public:
  using sender_concept = stdexec::sender_tag;
  using completion_signatures =
      stdexec::completion_signatures<stdexec::set_value_t(), stdexec::set_stopped_t(),
                                     stdexec::set_error_t(std::exception_ptr)>;

  explicit sender(scheduler of) noexcept : of_(of) {}

  template <class Receiver>
  class operation {
   public:
    using operation_state_concept = stdexec::operation_state_tag;

    operation(scheduler of, Receiver receiver) : of_(of), receiver_(std::move(receiver)) {}
    operation(operation&&) = delete;

    void start() & noexcept {
      try {
        of_.run([this] { complete(); });
      } catch (...) { stdexec::set_error(std::move(receiver_), std::current_exception()); }
    }

   private:
    void complete() noexcept {
      if (stdexec::get_stop_token(stdexec::get_env(receiver_)).stop_requested())
        stdexec::set_stopped(std::move(receiver_));
      else
        stdexec::set_value(std::move(receiver_));
    }
    scheduler of_;
    Receiver receiver_;
  };
  template <class Receiver>
  operation<Receiver> connect(Receiver receiver) const {
    return {of_, std::move(receiver)};
  }

  /// Says where it completes.
  struct attributes {
    scheduler of;
    template <class Tag>
      requires(!std::is_same_v<Tag, stdexec::set_error_t>)
    scheduler query(stdexec::get_completion_scheduler_t<Tag>, const auto&...) const noexcept {
      return of;
    }
  };
  attributes get_env() const noexcept { return {of_}; }

 private:
  scheduler of_;
};

inline scheduler::sender scheduler::schedule() const noexcept { return sender(*this); }

namespace detail {

/// What the receiver of sync_wait() tells its sender.
struct waiting_environment {
  static scheduler query(stdexec::get_scheduler_t) noexcept { return {}; }
  static scheduler query(stdexec::get_delegation_scheduler_t) noexcept { return {}; }
};

template <class... Values>
using tuple_of_values = std::tuple<std::decay_t<Values>...>;
template <class Only>
using the_only = Only;

template <class Values>
struct waiting_state {
  terrane_slot_ref done;
  std::optional<Values> values;
  std::exception_ptr failure;
};

template <class Values>
struct waiting_receiver {
  using receiver_concept = stdexec::receiver_tag;
  waiting_state<Values>* state;

  template <class... V>
  void set_value(V&&... values) && noexcept {
    try {
      state->values.emplace(std::forward<V>(values)...);
    } catch (...) { state->failure = std::current_exception(); }
    terrane_signal(state->done);
  }
  template <class Error>
  void set_error(Error&& error) && noexcept {
    if constexpr (std::is_same_v<std::decay_t<Error>, std::exception_ptr>)
      state->failure = std::forward<Error>(error);
    else
      state->failure = std::make_exception_ptr(std::forward<Error>(error));
    terrane_signal(state->done);
  }
  void set_stopped() && noexcept { terrane_signal(state->done); }
  static waiting_environment get_env() noexcept { return {}; }
};

}  // namespace detail

/// Starts the sender, and waits in this thread; its processor does other work. Returns the values,
/// nothing if it was stopped, and throws its error. stdexec::sync_wait would hold up the processor.
/// The sender completes on a processor of this machine. R-281 in a fiber.
template <class Sender>
auto sync_wait(Sender&& work) {
  using values = stdexec::value_types_of_t<Sender, detail::waiting_environment,
                                           detail::tuple_of_values, detail::the_only>;
  thread_block& me = thread_block::current("sync_wait");
  detail::waiting_state<values> state{0, {}, {}};
  auto operation =
      stdexec::connect(std::forward<Sender>(work), detail::waiting_receiver<values>{&state});
  state.done = me.expect();  // from here on nothing throws before the signal
  stdexec::start(operation);
  me.block("a sender");
  if (state.failure) std::rethrow_exception(std::move(state.failure));
  return std::move(state.values);
}

}  // namespace terrane
