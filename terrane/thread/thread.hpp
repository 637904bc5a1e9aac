// SPDX-License-Identifier: Apache-2.0
// thread.hpp: threads that may block anywhere: how they are made and joined, and what a running
// thread may do.
//
//   thread reader = thread::create([&] { lines = read_all(file); });
//   count_words(other);
//   reader.join();                       // others run here meanwhile; throws what left the thread
//
// Purpose     Ordinary blocking code beside fibers: a thread that waits gives up its processor to
//             other work.
// Invariants  A thread runs on the processor that made it, unless it was made migratable
//             (migration.hpp). Threads of one processor never run at the same time, but may
//             alternate wherever one blocks or yields.
// Cost        create and join: some tens of ns, and no system call when stacks are there to reuse.
// Source      [ACTIVE §4].
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "terrane/cpp/slot.hpp"
#include "terrane/cpp/threaded.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/how_long.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// A thread to be joined. The destructor joins a thread that was not joined; then an exception of
/// the thread is lost.
class thread {
 public:
  thread() = default;
  /// As create(call, values...).
  template <class F, class... A>
    requires(!std::is_same_v<std::decay_t<F>, thread> &&
             std::is_invocable_v<std::decay_t<F>, std::decay_t<A>...>)
  explicit thread(F&& call, A&&... values)
      : thread(create(std::forward<F>(call), std::forward<A>(values)...)) {}
  /// Runs call(values...) in a thread of this processor; copies of both are the thread's own.
  template <class F, class... A>
  static thread create(const thread_options& how, F&& call, A&&... values) {
    if constexpr (sizeof...(A) == 0) {
      return thread(thread_block::create(how, std::forward<F>(call)).name());
    } else {
      return thread(
          thread_block::create(how, [call = std::forward<F>(call),
                                     kept = std::make_tuple(std::forward<A>(values)...)]() mutable {
            std::apply(std::move(call), std::move(kept));
          }).name());
    }
  }
  template <class F, class... A>
    requires(!std::is_same_v<std::decay_t<F>, thread_options>)
  static thread create(F&& call, A&&... values) {
    return create(thread_options{}, std::forward<F>(call), std::forward<A>(values)...);
  }
  /// The same for a thread that may move to other nodes (migration.hpp). The values are wire
  /// values. The captures of `call` must be wire values too, which the compiler cannot check.
  template <class F, class... A>
  static thread create_migratable(const thread_options& how, const F& call, const A&... values) {
    (require_wire_value<std::decay_t<A>>(), ...);
    if constexpr (sizeof...(A) == 0)
      return thread(begin_journey(how, call).name());
    else
      return thread(begin_journey(how, [call, kept = std::make_tuple(values...)]() mutable {
                      std::apply(call, kept);
                    }).name());
  }

  /// The same on that node: on its processors in turn. Returns when it has been made. R-281 in a
  /// fiber, R-210 if there is no such node.
  template <class F, class... A>
  static thread create_on(node_id node, const thread_options& how, const F& call,
                          const A&... values);
  /// The name, which stays valid until the thread has ended and was joined.
  terrane_slot_ref name() const { return name_; }

  thread(thread&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  thread& operator=(thread&& other) noexcept {
    if (joinable()) drop();
    name_ = std::exchange(other.name_, 0);
    return *this;
  }
  ~thread() {
    if (joinable()) drop();
  }

  bool joinable() const { return name_ != 0; }
  /// Returns when the thread has ended, and throws the exception that left it: the exception itself
  /// within its node, a remote_exception on other nodes. Any thread of the machine may join it,
  /// once. A fiber may join it only when it has ended.
  void join();
  /// Nobody will join the thread; an exception that leaves it ends the run.
  void detach();
  /// Signals `told` when the thread has ended; after that join() returns at once.
  void signal_at_end(slot_ref told) const;
  /// Gives the thread up as a name, which can be sent: take() makes a handle of it again.
  slot_ref release() { return {std::exchange(name_, 0)}; }
  static thread take(slot_ref released) { return thread(released.raw); }
  /// What this handle joins; null: it is another processor's. R-282 if it was joined already.
  terrane::joinable* here_or_null() const;

 private:
  explicit thread(terrane_slot_ref name) : name_(name) {}
  void join_elsewhere();
  void drop() noexcept;

  terrane_slot_ref name_ = 0;
};

namespace this_thread {

/// True in a thread, false in a fiber.
inline bool exists() { return thread_block::current() != nullptr; }
/// Lets the other ready fibers and threads of this priority run first.
inline void yield() { thread_block::current("yield").yield_to_any(); }
/// Waits for at least so many nanoseconds, or so long a std::chrono::duration, by the world's
/// clock; other work runs meanwhile.
void sleep_for(how_long time);
template <chrono_time_point Time>
void sleep_until(const Time& when) {
  sleep_for(how_long::until(when));
}
/// 0 is served first, 7 last. The change takes effect when the thread next becomes ready.
inline void set_priority(int priority) {
  thread_block::current("set_priority").set_priority(priority);
}
inline int priority() { return thread_block::current("priority").priority(); }
inline const char* name() { return thread_block::current("name").thread_name(); }
/// name: a literal, or another string that outlives the thread.
inline void set_name(const char* name) { thread_block::current("set_name").set_name(name); }

/// Yields if this thread's time slice is over. Throws thread_cancelled if it was cancelled.
void checkpoint();

/// Calls issue(slot), and waits until the slot is signalled, which must happen once, from anywhere:
///   await([&](slot_ref done) { get(there, to_global(mine), done); });
template <class Issue>
void await(Issue&& issue, const char* waits_for = "a signal") {
  thread_block& me = thread_block::current("await");
  issue(slot_ref{me.expect()});
  me.block(waits_for);
}

}  // namespace this_thread

/// Sets the time slice of this processor's threads (20 ms in the Testbed). A thread that has run
/// longer yields where it declares work (charge) or passes a checkpoint. 0: no slices; threads give
/// way only where they block or yield.
void set_time_slice(std::uint64_t nanoseconds);

/// A program whose main function is a thread:
///   int main(int argc, char** argv) { return terrane::run<thread_main<my_main>>(argc, argv); }
template <auto Main, std::size_t StackBytes = std::size_t{8} << 20>
struct thread_main : threaded<thread_main<Main, StackBytes>> {
  using self = thread_main;
  thread running;
  join over = self::template on<&self::finish>();

  step start(int argc, char** argv) {
    here().pay_nothing();  // else world sim would measure these few instructions
    running = thread::create(
        {.name = "main", .stack_bytes = StackBytes, .size_from = stack_from::thread_main},
        [=] { terrane_set_exit_code(Main(argc, argv)); });
    running.signal_at_end(over.one());
    return self::await(over);
  }
  step finish() {
    here().pay_nothing();
    running.join();
    return self::done;
  }
};

}  // namespace terrane
