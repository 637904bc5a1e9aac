// SPDX-License-Identifier: Apache-2.0
// rope_balance.cpp: rope::balance(): what members have done goes to the rope's home, whose policy
// says where each is to be; then each goes there by itself.
#include <algorithm>
#include <cstring>
#include <vector>

#include "terrane/core/failure.hpp"
#include "terrane/talk/post_office.hpp"
#include "terrane/talk/rope.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t talks_max = 8;
constexpr terrane_operation placing{"rope_balance_member", 200'000};

struct member_report {
  processor_id at = 0;
  std::uint32_t may_move = 0, talks = 0, unused = 0;
  std::uint64_t ran_ns = 0, bytes = 0;
  struct talk {
    std::uint64_t rank, bytes;
  } with[talks_max] = {};
};
struct member_place {
  processor_id at;
};

[[noreturn, gnu::cold]] void no_such_place(std::uint32_t rank, processor_id at,
                                           std::uint32_t processors) {
  fail(run_time_error::balancer_failed,
       "the balancer of ropes places member %u on processor %u of a machine of %u", rank, at,
       processors);
}

/// At the rope's home.
void place_members(std::uint32_t members, const unsigned char* all, std::size_t bytes,
                   unsigned char* results, std::size_t result_bytes) {
  TERRANE_CHECK(bytes == sizeof(member_report) && result_bytes == sizeof(member_place));
  std::vector<member_report> reports(members);
  std::memcpy(reports.data(), all, members * sizeof(member_report));
  std::vector<rope_talk> talks;
  for (const member_report& each : reports)
    for (std::uint32_t i = 0; i < each.talks; ++i)
      talks.push_back({static_cast<std::uint32_t>(each.with[i].rank), each.with[i].bytes});
  std::vector<rope_member> seen;
  std::vector<processor_id> at;
  const rope_talk* next = talks.data();
  for (const member_report& each : reports) {
    seen.push_back({each.at, each.may_move != 0, each.ran_ns, each.bytes, {next, each.talks}});
    next += each.talks;
    at.push_back(each.at);
  }
  const std::uint32_t processors = here().processors();
  terrane_charge(&placing, members);
  rope_desk::here().policy()->place({seen, processors, here().processors_per_node()}, at);
  for (std::uint32_t rank = 0; rank < members; ++rank) {
    if (at[rank] >= processors) no_such_place(rank, at[rank], processors);
    const member_place its{seen[rank].may_move ? at[rank] : seen[rank].at};
    std::memcpy(results + rank * sizeof its, &its, sizeof its);
  }
}

/// What the running member has done since the last report, which this is from now on.
member_report report_of(const rope& us, letter_box& mine) {
  const thread_block& me = thread_block::current("balance");
  member_report report;
  report.at = terrane_here->number;
  report.may_move = journey::may_move(me) == migration::moved;
  report.ran_ns = std::exchange(mine.load.ran_ns, 0);
  const auto* const top = static_cast<const char*>(me.its_stack().span.high());
  report.bytes = mine.heap->bytes_used() +
                 static_cast<std::uint64_t>(top - static_cast<char*>(__builtin_frame_address(0)));
  std::vector<member_report::talk> all;
  mine.for_each_peer([&](letter_peer& each) {
    const std::uint64_t said = std::exchange(each.said, 0);
    const int rank = said != 0 ? us.rank_of({each.name}) : -1;
    if (rank >= 0) all.push_back({static_cast<std::uint64_t>(rank), said});
  });
  report.talks = static_cast<std::uint32_t>(std::min<std::size_t>(all.size(), talks_max));
  std::partial_sort(all.begin(), all.begin() + report.talks, all.end(),
                    [](const member_report::talk& a, const member_report::talk& b) {
                      return a.bytes != b.bytes ? a.bytes > b.bytes : a.rank < b.rank;
                    });
  std::copy_n(all.begin(), report.talks, report.with);
  return report;
}

/// Called where the member now is: nothing that was read before the move is used again.
[[gnu::noinline]] void count_move() { ++here().counts().members_moved; }

}  // namespace

rope_balancer* rope_desk::policy() {
  const rope_balancer_factory& make = terrane::here().balances_ropes();
  if (!policy_ && make) policy_ = make();
  return policy_.get();
}

void rope::balance(call_place where) const {
  static_cast<void>(desk().membership(name_));
  if (!here().balances_ropes()) return;
  post_office& office = post_office::here();
  letter_box& mine = office.own_box();
  office.note_stops(mine);
  mine.load.is_measured = true;
  office.note_runs(mine);
  const member_report report = report_of(*this, mine);
  member_place to{};
  decide(&place_members, {&report, sizeof report}, {&to, sizeof to}, where);
  if (to.at == report.at) return;
  if (journey::move_to(thread_block::current("balance"), to.at) == migration::moved) count_move();
}

}  // namespace terrane
