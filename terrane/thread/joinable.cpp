// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/joinable.hpp"

#include <utility>

#include "terrane/thread/thread_block.hpp"
#include "terrane/thread/thread_end.hpp"

namespace terrane {

void joinable::tell_end() {
  if (hearer_ == hearer::nobody_ever) {
    if (failure_) unheard_exception(name_, failure_);
    free_this();
  } else if (joiner_) {
    terrane_signal(joiner_->wake());
  } else if (told_ != 0) {
    terrane_signal(told_);
  }
}

void joinable::awaited_by_another() const {
  fail(run_time_error::thread_misused, "somebody waits for the end of thread %s, which %s", name_,
       hearer_ == hearer::nobody_ever ? "was detached" : "another waits for already");
}

void joinable::signal_at_end(terrane_slot_ref told) {
  if (hearer_ != hearer::nobody_yet) awaited_by_another();
  hearer_ = hearer::one;
  told_ = told;
  if (ended()) terrane_signal(told);
}

void joinable::wait_its_turn(thread_block& joiner) {
  if (this == &joiner)
    fail(run_time_error::thread_misused, "thread %s would wait for its own end", name_);
  if (hearer_ != hearer::nobody_yet) awaited_by_another();
  hearer_ = hearer::one;
  joiner_ = &joiner;
  joiner.expect();
  joiner.block("the end of a thread");
}

void joinable::free_this() {
  terrane_frame& mine = frame();
  this->~joinable();
  free_frame(mine);
}

void joinable::collect_failure() {
  std::exception_ptr failure = std::move(failure_);
  free_this();
  std::rethrow_exception(std::move(failure));
}

void joinable::detach() {
  hearer_ = hearer::nobody_ever;
  if (!ended()) return;
  if (failure_) unheard_exception(name_, failure_);
  free_this();
}

void joinable::operate(const operation_request& asked) {
  switch (asked.what) {
    case await_end: signal_at_end(asked.as<terrane_slot_ref>()); break;
    case collect_end: {
      const thread_end end = end_for(asked.from, std::move(failure_));
      const auto where = asked.as<answer_place>();
      free_this();
      where.send({&end, sizeof end});
      break;
    }
    case let_go: detach(); break;
  }
}

}  // namespace terrane
