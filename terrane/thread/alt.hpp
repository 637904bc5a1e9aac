// SPDX-License-Identifier: Apache-2.0
// alt.hpp: a choice among receiving ends of channels, times, and SKIP (occam's ALT).
//
//   alt either{in, other, after(1'000'000)};
//   switch (either.wait()) {
//     case 0: use(*in.receive()); break;
//     case 1: use(*other.receive()); break;
//     case 2: break;                       // nothing came for a millisecond
//   }
//
// Invariants  wait() returns the number of a guard whose receive does not wait: an item is offered,
//             or the channel was closed. The guards stay registered between waits: who offers an
//             item puts its guard into a list of those that are ready.
// Fairness    The guard that was chosen goes last; times and SKIP are chosen if no end is ready.
//             by_priority: the first that is ready.
// Cost        A wait does not depend on the number of guards; by_priority, on that of ready ones.
// Source      [TESTBED §2.1.3, §A.7] (ALT).
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "terrane/thread/channel_end.hpp"

namespace terrane {

class alt;

/// What a guard waits for, as it is given to an alt.
struct choice {
  enum kind : std::uint8_t { end, time, always };
  kind what = always;
  bool enabled = true;
  terrane_slot_ref name = 0;      // of an end
  std::uint64_t nanoseconds = 0;  // of a time

  choice() = default;
  template <class T>
  choice(const channel_in<T>& in) : what(end), name(in.raw()) {}
};
/// Ready so many nanoseconds after wait() was called.
inline choice after(std::uint64_t nanoseconds) {
  choice made;
  made.what = choice::time;
  made.nanoseconds = nanoseconds;
  return made;
}
/// SKIP: always ready.
inline choice skip() { return {}; }
/// A boolean guard: chosen only if `condition` holds, or after enable().
inline choice when(bool condition, choice what) {
  what.enabled = condition;
  return what;
}

/// One guard of an alt; it lies in the heap of the thread.
struct alt_guard {
  alt* of;
  choice its;
  std::uint32_t number;
  bool is_listed = false;
  bool is_over = false;                          // its channel is closed and empty
  channel_half* half = nullptr;                  // while it is registered
  alt_guard *next = nullptr, *before = nullptr;  // of those that are ready

  /// Called by the desk whenever it changes.
  void set_ready(bool ready);
  /// The thread has given up the end, or it is over.
  void lose();
};

class alt {
 public:
  struct by_priority_tag {};
  static constexpr by_priority_tag by_priority{};

  template <class... G>
    requires(sizeof...(G) > 0 && (std::convertible_to<const G&, choice> && ...))
  explicit alt(const G&... guards) : alt(std::initializer_list<choice>{choice(guards)...}, false) {}
  template <class... G>
    requires(sizeof...(G) > 0 && (std::convertible_to<const G&, choice> && ...))
  explicit alt(by_priority_tag, const G&... guards)
      : alt(std::initializer_list<choice>{choice(guards)...}, true) {}
  explicit alt(std::span<const choice> guards, bool first_wins = false);
  alt(const alt&) = delete;
  alt& operator=(const alt&) = delete;
  ~alt();

  /// Waits until a guard is ready, and returns its number. R-285 if none can ever be.
  std::size_t wait();
  /// Sets the condition of that guard, for the waits from now on.
  void enable(std::size_t guard, bool condition);

 private:
  friend struct alt_guard;
  struct alarm;
  alt(std::initializer_list<choice> guards, bool first_wins)
      : alt(std::span<const choice>(guards.begin(), guards.size()), first_wins) {}
  void register_all(thread_block& me);
  void register_one(alt_guard& one);
  void list(alt_guard& one);
  void unlist(alt_guard& one);
  alt_guard* choose();
  alt_guard* first_timer() const;
  void ring();
  void describe();

  alt_guard* guards_;
  std::uint32_t count_;
  bool by_priority_;
  bool all_registered_ = false, is_timed_out_ = false;
  std::uint32_t others_ = 0;                      // guards that are times or SKIP
  alt_guard *first_ = nullptr, *last_ = nullptr;  // ready
  terrane_slot_ref block_ = 0;                    // of the thread where the guards were registered
  terrane_slot_ref waits_ = 0;                    // the slot to signal; 0: it does not wait
  char text_[80];
};

}  // namespace terrane
