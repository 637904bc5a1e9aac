// SPDX-License-Identifier: Apache-2.0
// joinable.hpp: a thread as it is known where it was made: whether it has ended, how, and who is
// told of the end.
//
// Purpose     A handle of class thread joins a joinable. A thread that never moves is a joinable
//             itself (thread_block.hpp); a thread that may move leaves one at home (journey.hpp).
// Invariants  Its owner alone touches it. The end is told once: to a thread of this processor, to a
//             slot anywhere, or, for a detached thread, to nobody. A joinable lives until the
//             thread has ended, and was collected or detached.
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

  /// The joinable of that name; null: another processor's, or freed.
  static joinable* find(terrane_slot_ref name);

  const char* thread_name() const { return name_; }
  void set_name(const char* name) { name_ = name; }
  bool started() const { return state_ != state::fresh; }
  bool ended() const { return state_ == state::ended; }
  /// The thread may move and has not ended: this is its away_thread, which stays at home.
  bool is_away() const { return state_ == state::away; }
  /// What the thread waits for, in the words of reports; null if it does not wait.
  virtual const char* waits_for() const = 0;

  /// Signals `told` when the thread has ended; at once if it has. R-282 if another thread or slot
  /// already waits for the end.
  void signal_at_end(terrane_slot_ref told);
  /// Blocks the calling thread until this one has ended.
  void wait_until_ended();
  /// Frees an ended thread, and throws the exception that left it, if one did.
  void collect() {
    if (TERRANE_UNLIKELY(failure_ != nullptr)) return collect_failure();
    free_frame(frame());  // nothing else of an ended thread is to be destroyed
  }
  void detach();

  void operate(const operation_request& asked) override;

 protected:
  friend struct debug_layout;
  enum class state : std::uint8_t { fresh, started, leaving, ended, away };
  /// Who is told of its end; `one` is either joiner_ or told_.
  enum class hearer : std::uint8_t { nobody_yet, one, nobody_ever };
  joinable(const char* name, state is, hearer hears) : name_(name), state_(is), hearer_(hears) {}

  terrane_frame& frame() { return *(reinterpret_cast<terrane_frame*>(this) - 1); }
  /// Tells that the thread has ended. This object may be freed when the call returns.
  void tell_end();
  void free_this();

  const char* name_;
  terrane_slot_ref told_ = 0;       // the slot to signal at its end
  thread_block* joiner_ = nullptr;  // or the thread of this processor that waits for its end
  std::exception_ptr failure_;
  state state_;
  hearer hearer_;

 private:
  /// Does what free_object does, without a look at the kind, which is known.
  static void free_frame(terrane_frame& its);
  [[gnu::noinline]] void wait_its_turn(thread_block& joiner);
  [[noreturn, gnu::cold]] void awaited_by_another() const;
  [[gnu::cold]] void collect_failure();
};

}  // namespace terrane
