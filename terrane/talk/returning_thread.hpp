// SPDX-License-Identifier: Apache-2.0
// returning_thread.hpp: threads on other nodes whose join returns a result.
//
//   auto far = returning_thread<long>::create_on(2, {.name = "far"}, half_of, 34L);
//   const long h = far.join();                   // or throws what left the thread
//
// Method      The result has a place with the thread's maker. The thread writes it there as its
//             last act, and ends when that is done: so it is there when a join returns.
// Invariants  The result is a wire value. The handle may be given to another thread anywhere
//             (release, take), which joins then.
// Cost        A put; and a get where the joiner is on another node than the maker.
// Source      [CHANT §2.1] (remote thread operations).
#pragma once

#include <utility>

#include "terrane/cpp/global.hpp"
#include "terrane/thread/create_on.hpp"
#include "terrane/thread/thread_id.hpp"

namespace terrane {

/// A thread to be joined, as a value that travels.
template <class R>
struct returning_name {
  slot_ref name;
  global<R> place;
};
template <class R>
inline constexpr bool position_independent<returning_name<R>> = true;

template <class R>
class returning_thread {
  static_assert(wire_value<R>, "the result of a thread travels: it must be a wire value");

 public:
  returning_thread() = default;
  /// As thread::create_on, for an f that returns an R.
  template <class F, class... A>
  static returning_thread create_on(node_id node, const thread_options& how, const F& call,
                                    const A&... values) {
    (require_wire_value<std::decay_t<A>>(), ...);
    global<R> place;
    this_thread::await([&](slot_ref done) { allocate(here().number, 1, place, done); },
                       "memory for a result");
    const auto whole = [call, kept = as_arguments(values...), place] {
      const R result = call_with(kept, call);
      this_thread::await([&](slot_ref done) { put(result, place, done); },
                         "the place of its result");
    };
    return {thread::create_on(node, how, whole), place};
  }

  returning_thread(returning_thread&& other) noexcept
      : its_(std::move(other.its_)), place_(std::exchange(other.place_, {})) {}
  returning_thread& operator=(returning_thread&& other) noexcept {
    drop();
    its_ = std::move(other.its_);
    place_ = std::exchange(other.place_, {});
    return *this;
  }
  /// Joins a thread that was not joined; then its result, or exception, is lost.
  ~returning_thread() { drop(); }

  bool joinable() const { return its_.joinable(); }
  thread_id id() const { return {its_.name()}; }
  /// Returns when the thread has ended, with what it returned; throws what left it, as
  /// thread::join does.
  R join() {
    const releases_place after{std::exchange(place_, {})};
    its_.join();
    R result;
    this_thread::await([&](slot_ref done) { get(after.place, result, done); },
                       "the result of a thread");
    return result;
  }
  returning_name<R> release() { return {its_.release(), std::exchange(place_, {})}; }
  static returning_thread take(returning_name<R> released) {
    return {thread::take(released.name), released.place};
  }

 private:
  returning_thread(thread its, global<R> place) : its_(std::move(its)), place_(place) {}
  struct releases_place {
    global<R> place;
    ~releases_place() {
      if (place) terrane::release(place);
    }
  };
  void drop() noexcept {
    its_ = thread();  // joins
    const releases_place after{std::exchange(place_, {})};
  }

  thread its_;
  global<R> place_;
};

}  // namespace terrane
