// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/wait_book.hpp"

#include <algorithm>
#include <utility>

#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/post_office.hpp"

namespace terrane {

namespace {

/// How long the processor has run nothing, until now.
std::uint64_t not_running_ns(processor& at) {
  const time_split& split = at.times();
  return split.idle + split.poll + split.balance;
}

terrane_slot_ref awaited(const transfer& one) {
  if (one.what == transfer::collects) return rope_of(one);
  return one.is_done && one.what != transfer::sends ? one.result.source.name : one.peer;
}

}  // namespace

wait_sum& post_office::sum_of(const thread_block& me, const letter_box& its, const transfer& one) {
  const terrane_slot_ref whom = awaited(one), rope = rope_of(one);
  wait_sum& sum = waits_[{its.owner, whom, one.what, one.where.file_name(), one.where.line()}];
  if (!sum.where.empty()) return sum;
  sum.who = std::string(me.thread_name()) + " " + ropes_.name_in(rope, its.owner);
  sum.where = std::string(one.verb()) + ", " + short_place(one.where);
  if (one.what == transfer::collects)
    sum.whom = "the others of rope " + printed_name(rope);
  else
    sum.whom = whom == any_source.name ? "any thread" : ropes_.name_in(rope, whom);
  return sum;
}

void post_office::wait_noted(thread_block& me, letter_box& mine, transfer_wait& until,
                             const transfer& one) {
  processor& self = terrane::here();
  const std::uint64_t began = self.world().now(), bare_before = not_running_ns(self);
  const std::uint64_t fibers_before = self.fibers_executed();
  const std::uint32_t turns_before = self.ready_head;
  wait_unnoted(me, mine, until, one);
  // One of each is its own continuation. Threads that follow one another count as fibers later.
  const bool others_ran =
      self.fibers_executed() - fibers_before > 1 || self.ready_head - turns_before > 1;
  const std::uint64_t passed = self.world().now() - began;
  const std::uint64_t bare = not_running_ns(self) - bare_before;
  wait_sum& sum = sum_of(me, mine, one);
  ++sum.times;
  sum.waited_ns += passed;
  if (others_ran && limits_.wait == receive_wait::scheduler)
    sum.hidden_ns += passed - std::min(passed, bare);
}

std::uint64_t post_office::letters_kept_max() const {
  std::uint64_t most = kept_max_;
  for (const letter_box* each = boxes_; each; each = each->next)
    most = std::max(most, each->kept_max());
  for (const auto& [who, its] : movers_) most = std::max(most, its->kept_max());
  return most;
}

}  // namespace terrane
