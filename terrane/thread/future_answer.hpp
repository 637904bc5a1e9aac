// SPDX-License-Identifier: Apache-2.0
// future_answer.hpp: what a future waits for once its token was taken.
//
// Purpose     Made by the processor that spawned it when the token leaves its private stack. Its
//             name travels with the token; whoever runs that sends here what came of it.
// Invariants  One joiner. It is freed when it is joined, or when the token was found again.
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
  /// Blocks the thread that runs until it has come. R-281 in a fiber.
  void await();
  /// What has come: throws if that is an exception. The answer is freed.
  void collect(void* result, std::size_t bytes);

 private:
  enum class state : std::uint8_t { awaited, returned, thrown } state_ = state::awaited;
  terrane_slot_ref told_ = 0;  // the joiner
  std::unique_ptr<unsigned char[]> large_;
  alignas(std::max_align_t) unsigned char small_[48];
  std::unique_ptr<thread_end> end_;
};

/// What there is of a future that is not the newest; its token ends at `above`.
enum class settled : std::uint8_t {
  here,     // `token`, from the stack: nobody began it
  found,    // `token`, from the pool, as it left
  answered  // `answer`, which has come
};
settled settle_future(terrane_token* above, terrane_token& token, future_answer*& answer);

/// What is made for a future that another processor took. stack_bytes: 0 is the run's.
thread_options future_thread(std::size_t stack_bytes);

/// What a spawn does when the mark says so: its token is written.
[[gnu::cold, gnu::noinline]] void future_spawned();

/// What came of a token goes to whoever joins it.
void send_value(terrane_slot_ref answer, bytes_view result);
void send_failure(terrane_slot_ref answer, std::exception_ptr what);

[[noreturn, gnu::cold]] void joined_twice();

/// Code as it travels: its distance from the executable's start; R-211 if no code lies there.
std::uint64_t code_distance(std::uint64_t address);
std::uint64_t code_address(std::uint64_t distance);

}  // namespace terrane
