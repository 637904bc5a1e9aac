// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/future_answer.hpp"

#include <cstring>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/thread/thread_block.hpp"

/// Defined by the linker: where the executable's code ends.
extern "C" const char etext[] __attribute__((weak));

namespace terrane {

void future_answer::operate(const operation_request& asked) {
  if (asked.what == value) {
    bytes_ = asked.body.size;
    unsigned char* place = small_;
    if (asked.body.size > sizeof small_) {
      large_.reset(new unsigned char[asked.body.size]);
      place = large_.get();
    }
    if (asked.body.size != 0) std::memcpy(place, asked.body.data, asked.body.size);
    state_ = state::returned;
  } else {
    end_ = std::make_unique<thread_end>();
    std::memcpy(static_cast<void*>(end_.get()), asked.body.data, sizeof(thread_end));
    state_ = state::thrown;
  }
  signal_if(std::exchange(told_, 0));
}

void future_answer::await() {
  if (has_come()) return;
  thread_block& me = thread_block::current("the join of a future that another has begun");
  told_ = me.expect();
  me.block("a future");
}

void future_answer::collect(void* result, std::size_t bytes) {
  const std::unique_ptr<thread_end> end = std::move(end_);
  if (state_ == state::returned && bytes != 0)
    std::memcpy(result, large_ ? large_.get() : small_, bytes);
  free_object(*this);
  if (end) rethrow(*end);
}

bool take_older(terrane_token* above) {
  if (!above) joined_twice();
  return here().tokens().take_older(above - 1);
}

settled settle_future(terrane_token* above, terrane_token& token, future_answer*& answer) {
  const settled how = begin_to_settle(above, token, answer);
  if (how != settled::awaited) return how;
  answer->await();
  end_settling(above);
  return settled::answered;
}

void end_settling(terrane_token* above) {
  processor& self = here();
  self.tokens().give_up(above[-1]);
  self.tokens().after_settling(false);
}

settled begin_to_settle(terrane_token* above, terrane_token& token, future_answer*& answer) {
  processor& self = here();
  if (!above) joined_twice();
  terrane_token* const place = above - 1;
  if (terrane_owner_of_frame(reinterpret_cast<terrane_frame*>(place)) != &self)
    fail(run_time_error::future_misused,
         "a future was joined on processor %u, which did not spawn it", self.number);
  if (place >= self.bottom) {  // still here, but newer tokens that nobody began lie above it
    token = *place;
    self.tokens().give_up(*place);
    return settled::here;
  }
  object* waits;
  std::memcpy(&waits, place->args, sizeof waits);
  answer = static_cast<future_answer*>(waits);
  const bool found = !answer->has_come() && self.tokens().take_back(*answer, token);
  if (!found && !answer->has_come()) return settled::awaited;
  if (found) free_object(*answer);
  self.tokens().give_up(*place);
  self.tokens().after_settling(found);
  return found ? settled::found : settled::answered;
}

thread_options future_thread(const future_options& how) {
  return {.name = "future",
          .stack_bytes = how.stack_bytes != 0 ? how.stack_bytes : here().stack_bytes(),
          .priority = how.priority,
          .size_from = stack_from::future};
}

void send_value(terrane_slot_ref answer, bytes_view result) {
  ask<future_answer>(answer, future_answer::value, result);
}

void send_failure(terrane_slot_ref answer, std::exception_ptr what) {
  const thread_end end = end_for(processor_of(answer), std::move(what));
  ask<future_answer>(answer, future_answer::failure, bytes_view{&end, sizeof end});
}

void joined_twice() {
  fail(run_time_error::future_misused, "a future was joined twice, or after it was moved from");
}

/// On a simulated machine a spawn ends the turn, so that the clocks of other processors keep pace;
/// elsewhere it lets threads that have become ready run first.
void future_spawned() {
  processor& self = here();
  self.tokens().after_kept_push();
  thread_block* const running = thread_block::running_on(self);
  if (running && (self.is_simulated() || self.has_ready())) running->yield();
}

std::uint64_t code_distance(std::uint64_t address) { return address - executable_start(); }

std::uint64_t code_address(std::uint64_t distance) {
  const std::uint64_t address = executable_start() + distance;
  if (address >= reinterpret_cast<std::uintptr_t>(etext))
    fail(run_time_error::unknown_function,
         "a future came for a function at offset 0x%llx, and this process has no code there: is it "
         "the same executable?",
         static_cast<unsigned long long>(distance));
  return address;
}

}  // namespace terrane
