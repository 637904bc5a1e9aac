// SPDX-License-Identifier: Apache-2.0
// rope_collector.cpp: how the processors of a node, other than the home's, bring together what
// their members contribute to a collective (rope_desk.hpp).
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "terrane/core/node.hpp"
#include "terrane/talk/rope_desk.hpp"
#include "terrane/talk/rope_functions.hpp"
#include "terrane/talk/rope_mail.hpp"

namespace terrane {

processor_id rope_desk::above(const rope_station& at) const {
  const processor_id home = processor_of(at.rope);
  const processor& self = terrane::here();
  if (self.processors_per_node() == 1 || self.is_of_this_node(home)) return home;
  return number_ / self.processors_per_node() * self.processors_per_node();
}

bool rope_desk::is_collector_of(const rope_station& at) const {
  return above(at) == number_ && processor_of(at.rope) != number_;
}

/// Called before what members contribute is sent: so their collector has heard of them by then.
void rope_desk::tell_collector(rope_station& at) {
  const processor_id to = above(at);
  if (to == processor_of(at.rope) || at.told == at.here) return;
  const std::uint32_t before = std::exchange(at.told, at.here);
  const rope_notice change{at.rope, at.here > before ? at.here - before : 0,
                           at.here < before ? before - at.here : 0};
  if (to == number_)
    hear_stand(change);
  else
    rope_mail::send(to, rope_mail::stands, change);
}

void rope_desk::hear_stand(const rope_notice& change) {
  rope_station& at = station(change.rope);
  at.in_node += std::int64_t{change.round} - std::int64_t{change.members};
  send_on(at);
}

void rope_desk::collect(rope_station& at, processor_id from, const contribution_head& head,
                        const rope_pieces& pieces) {
  gathered_round& one = at.collected[head.round];
  one.number = head.round;
  one.unsent += head.members;
  gather(at, one, from, head, pieces);
  send_on(at);
}

/// Those rounds that all members of this node have entered, as far as is known.
void rope_desk::send_on(rope_station& at) {
  for (auto& [number, one] : at.collected) {
    if (one.unsent == 0 || one.members < at.in_node) continue;
    const contribution_head head{at.rope, one.how, number, std::exchange(one.unsent, 0)};
    send_up(processor_of(at.rope), head, one.pieces);
    begin_pieces(one.pieces, one.how, at.members.size());
  }
}

/// Of a decision each member's rank and result; of others the result for all.
void rope_desk::distribute(rope_station& at, std::uint32_t round, bytes_view result) {
  const gathered_round one = std::move(at.collected.at(round));
  at.collected.erase(round);
  const bool is_decision = one.how.what == collective::decision;
  const auto* const bytes = static_cast<const unsigned char*>(result.data);
  const std::size_t each_bytes = sizeof(std::uint64_t) + one.how.result_bytes;
  std::unordered_map<std::uint64_t, const unsigned char*> decided;
  for (std::size_t i = 0; is_decision && i < result.size; i += each_bytes) {
    std::uint64_t rank;
    std::memcpy(&rank, bytes + i, sizeof rank);
    decided[rank] = bytes + i;
  }
  for (const gathered_round::sender& each : one.senders) {
    std::vector<unsigned char> theirs;
    for (const std::uint32_t rank : each.ranks)
      theirs.insert(theirs.end(), decided.at(rank), decided.at(rank) + each_bytes);
    const bytes_view its = is_decision ? bytes_view{theirs.data(), theirs.size()} : result;
    if (each.at == number_)
      finish(at, round, its);
    else
      rope_mail::send(each.at, rope_mail::result, rope_notice{at.rope, round, 0}, its);
  }
}

}  // namespace terrane
