// SPDX-License-Identifier: Apache-2.0
// future.hpp: spawn and join: work that another processor takes, or that is called at its join.
//
//   long fib(int n) {
//     if (n <= 1) return 1;
//     auto x = spawn<fib>(n - 1);       // a token: any processor of the machine may take it
//     long y = fib(n - 2);
//     return x.join() + y;              // nobody took it: fib is called here
//   }
//
//   spawn(f, n - 1)                     // f a closure, or a function chosen at run time
//
// Purpose     Ordinary calls that may run elsewhere. A future must be joined once, on the processor
//             that spawned it; the destructor joins a future that was not joined.
// Invariants  The token lies in the processor's own token stack until its join, or until it leaves
//             at the old end (core/token_stack.hpp). So a token that is not below `bottom` is still
//             here, and its place holds no other: a place is used again only after the join of its
//             future.
// Cost        spawn: three stores, a count and a compare; one store more for a function chosen at
//             run time. join of a token that nobody took: two compares, a store and the call, typed
//             and direct: no frame, no atomic operation, no thread; some 20 instructions more if it
//             is not the newest. join of a token that was taken: blocks this thread, not its
//             processor.
// Counts      A spawn is one token and one fiber, whoever runs it.
// Source      Lazy task creation (Mohr, Kranz, Halstead 1991); [EARTH-LB §2]
//             (tokens).
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/terrane.h"
#include "terrane/thread/choose_task.hpp"

namespace terrane {

/// What spawn returns. Task: a future_task.
template <class Task>
class spawned {
 public:
  using result = typename Task::result;

  spawned(spawned&& other) noexcept
      : above_(std::exchange(other.above_, nullptr)), known_(other.known_) {}
  spawned& operator=(spawned&& other) noexcept {
    if (above_) Task::drop(above_);
    above_ = std::exchange(other.above_, nullptr);
    known_ = other.known_;
    return *this;
  }
  [[gnu::always_inline]] ~spawned() {
    if (TERRANE_UNLIKELY(above_ != nullptr)) Task::drop(above_);
  }

  /// Returns the result, or throws the exception that left the function: the exception itself if
  /// the function ran in this node, else as thread_end.hpp says. R-281 in a fiber if another
  /// processor has begun it.
  [[gnu::always_inline]] result join() {
    terrane_processor* here = terrane_here;
    terrane_token* const above = std::exchange(above_, nullptr);
    if (TERRANE_LIKELY(here->top == above && above > here->bottom)) {
      here->top = above - 1;
      return Task::call(known_, above[-1]);
    }
    return join_older(above, known_);
  }
  /// The same, in the standard's word.
  [[gnu::always_inline]] result get() { return join(); }
  bool joinable() const { return above_ != nullptr; }

 private:
  template <class>
  friend class future;
  template <class>
  friend class spawned_awaiter;
  template <class T, class F, class... A>
  friend spawned<T> spawn_task(F&& function, A&&... values);
  /// Apart, so that compilers know where `top` is after each join that is inlined.
  [[gnu::noinline]] static result join_older(terrane_token* above, typename Task::known known) {
    if (take_older(above)) return Task::call(known, above[-1]);
    return Task::settle(above);
  }
  [[gnu::always_inline]] spawned(terrane_token* above, const typename Task::known& known)
      : above_(above), known_(known) {}

  // The top of the token stack just after the spawn. The join needs nothing else: it compares the
  // stack's top with this. Null: joined, or moved from.
  terrane_token* above_;
  [[no_unique_address]] typename Task::known known_;
};

/// Pushes the token that `write` writes.
template <class Write>
[[gnu::always_inline]] inline terrane_token* push_future(const Write& write) {
  terrane_processor* here = terrane_here;
  terrane_token* const above = here->top + 1;
  write(above[-1]);
  here->top = above;
  ++here->inlined;
  // After the push, where the fewest values must be kept over the call.
  if (TERRANE_UNLIKELY(above >= TERRANE_LOAD_RELAXED(&here->spawn_limit))) future_spawned();
  return above;
}

template <class Task, class F, class... A>
[[nodiscard, gnu::always_inline]] inline spawned<Task> spawn_task(F&& function, A&&... values) {
  const typename Task::known known(function);
  if constexpr (requires { typename Task::block; }) {
    auto* const made = Task::prepare(std::forward<F>(function), std::forward<A>(values)...);
    return spawned<Task>(push_future([&](terrane_token& token) { Task::write(token, made); }),
                         known);
  } else {
    return spawned<Task>(push_future([&](terrane_token& token) {
                           Task::write(token, function, std::forward<A>(values)...);
                         }),
                         known);
  }
}

/// Makes a future of function(values...), which another processor may run, or the join. If its
/// arguments and its result are wire values, any processor of the machine may take it, else any of
/// this node (spawn_anywhere.hpp is for objects that leave it). A closure with captures runs in
/// this node, unless its type is declared position-independent.
template <class F, class... A>
[[nodiscard, gnu::always_inline]] inline auto spawn(F&& function, A&&... values) {
  return spawn_task<task_for<std::decay_t<F>, std::decay_t<A>...>>(std::forward<F>(function),
                                                                   std::forward<A>(values)...);
}

/// The same for a function known when compiling: its token holds the arguments alone, and has the
/// name of the function.
template <auto Function, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(Function)>, future_options>)
[[nodiscard, gnu::always_inline]] inline auto spawn(A&&... values) {
  static_assert(std::is_function_v<std::remove_pointer_t<decltype(Function)>>,
                "spawn<f>(values...) takes a function: a closure comes first among the values");
  return spawn(named_function<Function>{}, std::forward<A>(values)...);
}

/// Both of these with options, which are constants:
/// spawn<f, future_options{.stack_bytes = 16 << 20}>(n),
/// spawn<future_options{.priority = 0}>([] { ... }).
template <auto Function, future_options How, class... A>
[[nodiscard, gnu::always_inline]] inline auto spawn(A&&... values) {
  check_options<How>();
  return spawn(named_function<Function, How>{}, std::forward<A>(values)...);
}
template <future_options How, class F, class... A>
[[nodiscard, gnu::always_inline]] inline auto spawn(F&& call, A&&... values) {
  static_assert(std::is_class_v<std::decay_t<F>>,
                "a function stands before its options: spawn<f, future_options{...}>(values...)");
  check_options<How>();
  return spawn(closure_with_options<std::decay_t<F>, How>{std::forward<F>(call)},
               std::forward<A>(values)...);
}

/// A future whose type does not name its function, for containers: join() costs one indirect call
/// more.
///   std::vector<future<long>> all;
///   for (int n : sizes) all.push_back(spawn<fib>(n));
template <class Result>
class future {
 public:
  future() = default;
  template <class Task>
    requires std::same_as<typename Task::result, Result>
  [[gnu::always_inline]] future(spawned<Task>&& other) noexcept
      : above_(std::exchange(other.above_, nullptr)), ways_(&ways_of<Task>) {}
  future(future&& other) noexcept
      : above_(std::exchange(other.above_, nullptr)), ways_(other.ways_) {}
  future& operator=(future&& other) noexcept {
    if (TERRANE_UNLIKELY(above_ != nullptr)) ways_->drop(above_);
    above_ = std::exchange(other.above_, nullptr);
    ways_ = other.ways_;
    return *this;
  }
  ~future() {
    if (TERRANE_UNLIKELY(above_ != nullptr)) ways_->drop(above_);
  }
  Result join() {
    if (TERRANE_UNLIKELY(!above_)) joined_twice();
    return ways_->join(std::exchange(above_, nullptr));
  }
  Result get() { return join(); }
  bool joinable() const { return above_ != nullptr; }

 private:
  struct ways {
    Result (*join)(terrane_token* above);
    void (*drop)(terrane_token* above);
  };
  template <class Task>
  static Result join_as(terrane_token* above) {
    terrane_processor* const here = terrane_here;
    if (TERRANE_LIKELY(here->top == above && above > here->bottom))
      here->top = above - 1;
    else if (!take_older(above))
      return Task::settle(above);
    return Task::call(Task::known_in(above[-1]), above[-1]);
  }
  template <class Task>
  static constexpr ways ways_of{join_as<Task>, Task::drop};

  terrane_token* above_ = nullptr;
  const ways* ways_ = nullptr;  // of the task that it was made of
};

}  // namespace terrane
