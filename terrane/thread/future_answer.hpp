// SPDX-License-Identifier: Apache-2.0
// future_answer.hpp: the object that receives the result of a future whose token was taken.
//
// Purpose     The processor that spawned the future makes it when the token leaves the private
//             token stack. Its name travels with the token; the thread that runs the token sends
//             the result, or the exception, to that name.
// Invariants  It has one joiner. It is freed by the join, or when the token was found again.
#pragma once

#include <cstddef>
#include <memory>

#include "terrane/core/object.hpp"
#include "terrane/core/token.hpp"
#include "terrane/thread/thread_body.hpp"
#include "terrane/thread/thread_end.hpp"

namespace terrane {

class processor;

class future_answer final : public object {
 public:
  static constexpr char called[] = "future";
  enum : std::uint32_t { value, failure };  // operations: the bytes of a result; a thread_end

  void operate(const operation_request& asked) override;
  std::size_t waiting() const override { return told_ != 0; }

  bool has_come() const { return state_ != state::awaited; }
  /// Blocks the running thread until the answer has come. R-281 in a fiber.
  void await();
  /// Signals the slot when the answer comes, which has not come yet.
  void tell(terrane_slot_ref joiner) { told_ = joiner; }
  /// The size of the result that has come; 0 if an exception did.
  std::size_t bytes() const { return bytes_; }
  /// Copies the result that has come to `result`, or throws the exception. Frees the answer.
  void collect(void* result, std::size_t bytes);

 private:
  enum class state : std::uint8_t { awaited, returned, thrown } state_ = state::awaited;
  terrane_slot_ref told_ = 0;  // the joiner
  std::size_t bytes_ = 0;
  std::unique_ptr<unsigned char[]> large_;
  alignas(std::max_align_t) unsigned char small_[48];
  std::unique_ptr<thread_end> end_;
};

/// Call if the token that ends at `above` is not the newest that is alive. True: it is still here,
/// and it is asked for now; its arguments stay in its place until something else is pushed there.
[[gnu::noinline]] bool take_older(terrane_token* above);

/// What settle_future() finds of a future that is not the newest; its token ends at `above`.
enum class settled : std::uint8_t {
  here,      // the `token`, in the token stack: nobody began it
  found,     // the `token`, in the pool, in the form in which it left the stack
  answered,  // the `answer`, which has come
  awaited    // the `answer`, which has not come yet
};
/// Waits for the answer, if another processor has begun it: never `awaited`.
settled settle_future(terrane_token* above, terrane_token& token, future_answer*& answer);
/// The two parts of that for who waits in another way. If the first says `awaited`, the second is
/// called when the answer has come.
settled begin_to_settle(terrane_token* above, terrane_token& token, future_answer*& answer);
void end_settling(terrane_token* above);

/// How a future runs when another processor takes it.
struct future_options {
  std::size_t stack_bytes = 0;  // of the thread that runs it there; 0: as the run says (--stack)
  int priority = TERRANE_PRIORITY_DEFAULT;  // of that thread: 0 is served first, 7 last
};
template <future_options How>
constexpr void check_options() {
  static_assert(How.stack_bytes <= stack_pool::bytes_max, "the largest stack has 1 GiB");
  static_assert(How.priority >= 0 && How.priority <= 7, "priorities are from 0, the first, to 7");
}
/// Options of that thread.
thread_options future_thread(const future_options& how);

/// Called by a spawn whose token has reached the mark; the token is already written.
[[gnu::cold, gnu::noinline]] void future_spawned();

/// Send the result of a token, or the exception that left it, to the joiner.
void send_value(terrane_slot_ref answer, bytes_view result);
void send_failure(terrane_slot_ref answer, std::exception_ptr what);

[[noreturn, gnu::cold]] void joined_twice();

/// A code address travels as its distance from the executable's start. R-211 if no code lies there.
std::uint64_t code_distance(std::uint64_t address);
std::uint64_t code_address(std::uint64_t distance);

}  // namespace terrane
