// SPDX-License-Identifier: Apache-2.0
// joinable.hpp: a thread as it is known where it was made: whether it has ended, how, and who hears
// of it.
//
// Purpose     What a handle of class thread joins. A thread that stays is one itself
//             (thread_block.hpp); one that may move leaves one at home (journey.hpp).
// Invariants  Its owner alone touches it. One hears of the end: a thread of this processor, a slot
//             anywhere, or nobody ever. It lives until the thread has ended and was collected, or
//             was let go.
#pragma once

#include <cstdint>
#include <exception>

#include "terrane/core/object.hpp"

namespace terrane {

class thread_block;

class joinable : public object {
 public:
  static constexpr char called[] = "thread";
  static constexpr run_time_error gone = run_time_error::thread_misused;
  enum : std::uint32_t { await_end, collect_end, let_go, end_elsewhere };  // operations

  /// The one of that name; null: not of this processor, or gone.
  static joinable* find(terrane_slot_ref name);

  const char* thread_name() const { return name_; }
  void set_name(const char* name) { name_ = name; }
  bool started() const { return state_ != state::fresh; }
  bool ended() const { return state_ == state::ended; }
  /// It may move, and this is what stays at home: an away_thread, until it has ended.
  bool is_away() const { return state_ == state::away; }
  /// What it waits for, as reports say it; null when it does not.
  virtual const char* waits_for() const = 0;

  /// `told` is signalled when it has ended, now if it has. One at a time. R-282 if another waits.
  void signal_at_end(terrane_slot_ref told);
  /// Waits until it has ended. From a thread.
  void wait_until_ended();
  /// Of an ended thread: frees it, and throws what left it.
  void collect() {
    if (TERRANE_UNLIKELY(failure_ != nullptr)) return collect_failure();
    free_frame(frame());  // nothing else of an ended thread is to be destroyed
  }
  void detach();

  void operate(const operation_request& asked) override;

 protected:
  friend struct debug_layout;
  enum class state : std::uint8_t { fresh, started, leaving, ended, away };
  /// Who hears of its end: joiner_ or told_ is one.
  enum class hearer : std::uint8_t { nobody_yet, one, nobody_ever };
  joinable(const char* name, state is, hearer hears) : name_(name), state_(is), hearer_(hears) {}

  terrane_frame& frame() { return *(reinterpret_cast<terrane_frame*>(this) - 1); }
  /// It has ended. It may be gone when this returns.
  void tell_end();
  void free_this();

  const char* name_;
  terrane_slot_ref told_ = 0;       // at its end
  thread_block* joiner_ = nullptr;  // or this one, of this processor: blocks until its end
  std::exception_ptr failure_;
  state state_;
  hearer hearer_;

 private:
  /// Its kind is known: as free_object, without asking.
  static void free_frame(terrane_frame& its);
  [[gnu::noinline]] void wait_its_turn(thread_block& joiner);
  [[noreturn, gnu::cold]] void awaited_by_another() const;
  [[gnu::cold]] void collect_failure();
};

}  // namespace terrane
