// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/rope_desk.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/post_office.hpp"
#include "terrane/talk/rope_functions.hpp"
#include "terrane/talk/rope_mail.hpp"

namespace terrane {

namespace {

bytes_view view_of(const std::vector<terrane_slot_ref>& ids) {
  return {ids.data(), ids.size() * sizeof(terrane_slot_ref)};
}
bytes_view view_of(const std::vector<unsigned char>& bytes) { return {bytes.data(), bytes.size()}; }

void wait_at(rope_station& at, const char* for_what) {
  thread_block& me = thread_block::current("the use of a rope");
  at.waiting.push_back(me.expect());
  terrane::here().pay_nothing();
  me.block(for_what);
  terrane::here().pay_nothing();
}

}  // namespace

std::int64_t distance_of(const void* function) {
  return reinterpret_cast<std::intptr_t>(function) - reinterpret_cast<std::intptr_t>(code_anchor());
}

const char* collective::name() const {
  switch (what) {
    case barrier: return "a barrier";
    case broadcast: return "a bcast";
    case reduction: return "a reduction";
    case all_to_all_members: return "an allgather";
    default: return "a scan, split or balance";
  }
}

rope_desk& rope_desk::here() { return post_office::here().ropes(); }

// --- members ---

rope_station& rope_desk::station(terrane_slot_ref rope) {
  auto& found = stations_[rope];
  if (!found) {
    found = std::make_unique<rope_station>();
    found->rope = rope;
  }
  return *found;
}

void rope_desk::found(terrane_slot_ref rope, std::vector<terrane_slot_ref> members) {
  rope_station& at = station(rope);
  learn(at, std::move(members));
  for (const processor_id each : std::exchange(at.askers, {}))
    rope_mail::send(each, rope_mail::tells, rope, view_of(at.members));
}

void rope_desk::learn(rope_station& at, std::vector<terrane_slot_ref> members) {
  at.members = std::move(members);
  for (std::uint32_t rank = 0; rank < at.members.size(); ++rank) at.ranks[at.members[rank]] = rank;
  for (const terrane_slot_ref each : std::exchange(at.waiting, {})) terrane_signal(each);
}

void rope_desk::wait_for_members(rope_station& at) {
  if (!at.members.empty()) return;
  const processor_id home = processor_of(at.rope);
  if (home != number_ && at.waiting.empty()) rope_mail::send(home, rope_mail::asks, at.rope);
  wait_at(at, "the names of a rope's members");
}

void rope_desk::asked_for_members(terrane_slot_ref rope, processor_id by) {
  rope_station& at = station(rope);
  if (at.members.empty())
    at.askers.push_back(by);
  else
    rope_mail::send(by, rope_mail::tells, rope, view_of(at.members));
}

void rope_desk::hear_members(terrane_slot_ref rope, bytes_view ids) {
  const auto* const first = static_cast<const terrane_slot_ref*>(ids.data);
  rope_station& at = station(rope);
  if (at.members.empty()) learn(at, {first, first + ids.size / sizeof(terrane_slot_ref)});
}

void rope_desk::begin(terrane_slot_ref rope) {
  wait_for_members(station(rope));
  rope_station& at = *membership(rope).station;
  if (--at.begins == 0) {
    tell_collector(at);
    for (const terrane_slot_ref each : std::exchange(at.waiting, {})) terrane_signal(each);
    return;
  }
  wait_at(at, "the other members of its rope");
}

rope_membership& rope_desk::membership(terrane_slot_ref rope) {
  return membership(post_office::here().own_box(), rope);
}

rope_membership& rope_desk::find_membership(letter_box& box, terrane_slot_ref rope) {
  for (rope_membership& each : box.ropes)
    if (each.rope == rope) {
      wait_for_members(*each.station);  // it may have come to a processor without members
      return each;
    }
  rope_station& at = station(rope);
  wait_for_members(at);
  const auto found = at.ranks.find(box.owner);
  if (found == at.ranks.end())
    fail(run_time_error::not_a_member,
         "thread %s %s uses the rope %s, and is none of its %zu members",
         thread_block::current("rope").thread_name(), printed_name(box.owner).c_str(),
         printed_name(rope).c_str(), at.members.size());
  ++at.here;
  if (at.begins == 0) tell_collector(at);
  box.ropes.push_back({rope, found->second, 0, &at});
  return box.ropes.back();
}

std::string rope_desk::name_in(terrane_slot_ref rope, terrane_slot_ref member) const {
  const auto at = stations_.find(rope);
  if (at == stations_.end() || !at->second->ranks.contains(member)) return printed_name(member);
  return "rank " + std::to_string(at->second->ranks.at(member)) + " " + printed_name(member);
}

void rope_desk::leaves(letter_box& box) {
  for (rope_membership& each : box.ropes) {
    --each.station->here;
    flush_complete(*each.station);
    tell_collector(*each.station);
    each.station = nullptr;
  }
}

void rope_desk::comes(letter_box& box) {
  for (rope_membership& each : box.ropes) {
    each.station = &station(each.rope);
    ++each.station->here;
    tell_collector(*each.station);
  }
}

void rope_desk::ended(letter_box& box) { leaves(box); }

// --- a round at a station ---

rope_round& rope_desk::later_round(rope_station& at, std::uint32_t number) {
  if (at.rounds.empty()) at.first_round = number;
  while (number < at.first_round) {
    at.rounds.emplace_front();
    at.rounds.front().number = --at.first_round;
  }
  while (number - at.first_round >= at.rounds.size()) {
    at.rounds.emplace_back();
    at.rounds.back().number = at.first_round + static_cast<std::uint32_t>(at.rounds.size() - 1);
  }
  return at.rounds[number - at.first_round];
}

void rope_desk::enter(letter_box& box, rope_membership& who, transfer& waits, const collective& how,
                      const void* brings) {
  terrane::here().pay_nothing();
  rope_station& at = *who.station;
  rope_round& one = round_of(at, who.round++);
  if (one.entered.empty()) {
    one.how = how;
    one.where = waits.where;
    one.first_rank = who.rank;
    begin_pieces(one.pieces, how, at.members.size());
  } else if (one.how != how) {
    fail(run_time_error::members_differ,
         "member %u of rope %s enters %s of %llu bytes, root %d, at %s, and member %u %s of %llu "
         "bytes, root %d, at %s: all members call the same, with the same root and sizes",
         who.rank, printed_name(at.rope).c_str(), how.name(),
         static_cast<unsigned long long>(how.bytes), static_cast<int>(how.root),
         short_place(waits.where).c_str(), one.first_rank, one.how.name(),
         static_cast<unsigned long long>(one.how.bytes), static_cast<int>(one.how.root),
         short_place(one.where).c_str());
  }
  one.entered.push_back({&waits, &box, who.rank});
  ++one.unsent;
  if (brings) one.pieces.add({0, who.rank}, brings);
  if (one.entered.size() == at.here) flush(at, one);
}

void rope_desk::withdraw(transfer& entered) {
  for (rope_round& round : station(entered.context).rounds)
    for (rope_round::entry& each : round.entered)
      if (each.waits == &entered) each.waits = nullptr;
}

void rope_desk::flush_complete(rope_station& at) {
  for (std::size_t i = 0; i < at.rounds.size(); ++i)
    if (at.rounds[i].unsent != 0 && at.rounds[i].entered.size() == at.here) flush(at, at.rounds[i]);
}

void rope_desk::flush(rope_station& at, rope_round& one) {
  const contribution_head head{at.rope, one.how, one.number, std::exchange(one.unsent, 0)};
  const processor_id home = processor_of(at.rope);
  rope_pieces pieces;
  begin_pieces(pieces, one.how, at.members.size());
  std::swap(pieces, one.pieces);
  tell_collector(at);
  if (above(at) != number_) return send_up(above(at), head, pieces);
  if (home == number_)
    take(at, number_, head, pieces);
  else
    collect(at, number_, head, pieces);
}

void rope_desk::send_up(processor_id to, const contribution_head& head, const rope_pieces& pieces) {
  std::vector<unsigned char> body(pieces.size() * sizeof(rope_piece) + pieces.data_bytes());
  if (pieces.size() != 0)
    std::memcpy(body.data(), pieces.all().data(), pieces.size() * sizeof(rope_piece));
  if (pieces.data_bytes() != 0)
    std::memcpy(body.data() + pieces.size() * sizeof(rope_piece), pieces.data(),
                pieces.data_bytes());
  rope_mail::send(to, rope_mail::contributes, head, view_of(body));
}

// --- a round at home ---

void rope_desk::contributed(processor_id from, const contribution_head& head, bytes_view body) {
  rope_station& at = station(head.rope);
  rope_pieces pieces;
  // Kept apart: they are combined with what the home has.
  pieces.begin(static_cast<std::uint32_t>(at.members.size()), head.how.bytes, nullptr);
  const std::size_t each = sizeof(rope_piece) + head.how.bytes;
  const std::size_t count = body.size / each;
  TERRANE_CHECK(count * each == body.size);
  const auto* const where = static_cast<const unsigned char*>(body.data);
  for (std::size_t i = 0; i < count; ++i) {
    rope_piece one;
    std::memcpy(&one, where + i * sizeof one, sizeof one);
    pieces.add(one, where + count * sizeof one + i * head.how.bytes);
  }
  if (processor_of(at.rope) == number_)
    take(at, from, head, pieces);
  else
    collect(at, from, head, pieces);
}

void rope_desk::take(rope_station& at, processor_id from, const contribution_head& head,
                     const rope_pieces& pieces) {
  if (at.gathered.empty()) at.first_gathered = head.round;
  while (head.round < at.first_gathered) {
    at.gathered.emplace_front();
    at.gathered.front().number = --at.first_gathered;
  }
  while (head.round - at.first_gathered >= at.gathered.size()) {
    at.gathered.emplace_back();
    at.gathered.back().number =
        at.first_gathered + static_cast<std::uint32_t>(at.gathered.size() - 1);
  }
  gathered_round& one = at.gathered[head.round - at.first_gathered];
  gather(at, one, from, head, pieces);
  if (one.members != at.members.size()) return;
  gathered_round whole = std::move(one);
  // Rounds end in order: each member enters them in order.
  at.gathered.pop_front();
  ++at.first_gathered;
  complete(at, whole);
}

void rope_desk::gather(rope_station& at, gathered_round& one, processor_id from,
                       const contribution_head& head, const rope_pieces& pieces) {
  if (one.members == 0) {
    one.how = head.how;
    begin_pieces(one.pieces, head.how, at.members.size());
  } else if (one.how != head.how) {
    fail(run_time_error::members_differ,
         "members of rope %s on processor %u enter %s of %llu bytes, root %d, and others %s of "
         "%llu bytes, root %d: all members call the same, with the same root and sizes",
         printed_name(at.rope).c_str(), from, head.how.name(),
         static_cast<unsigned long long>(head.how.bytes), static_cast<int>(head.how.root),
         one.how.name(), static_cast<unsigned long long>(one.how.bytes),
         static_cast<int>(one.how.root));
  }
  one.members += head.members;
  auto sender = std::find_if(one.senders.begin(), one.senders.end(),
                             [&](const gathered_round::sender& each) { return each.at == from; });
  if (sender == one.senders.end()) sender = one.senders.insert(one.senders.end(), {from, {}});
  if (head.how.what == collective::decision)
    for (const rope_piece& each : pieces.all()) sender->ranks.push_back(each.index);
  one.pieces.add_all(pieces);
}

void rope_desk::complete(rope_station& at, gathered_round& one) {
  std::vector<unsigned char> decided;
  if (one.how.what == collective::decision) {
    decided.resize(at.members.size() * one.how.result_bytes);
    function_at_distance<decide_function>(one.how.function)(
        static_cast<std::uint32_t>(at.members.size()), one.pieces.data(), one.how.bytes,
        decided.data(), one.how.result_bytes);
  }
  for (const gathered_round::sender& each : one.senders) {
    bytes_view result{one.pieces.data(), one.pieces.data_bytes()};
    std::vector<unsigned char> theirs;
    if (one.how.what == collective::decision) {
      for (const std::uint32_t rank : each.ranks) {
        const std::uint64_t number = rank;
        const auto* const first = reinterpret_cast<const unsigned char*>(&number);
        theirs.insert(theirs.end(), first, first + sizeof number);
        const auto* const its = decided.data() + rank * one.how.result_bytes;
        theirs.insert(theirs.end(), its, its + one.how.result_bytes);
      }
      result = view_of(theirs);
    }
    if (each.at == number_)
      finish(at, one.number, result);
    else
      rope_mail::send(each.at, rope_mail::result, rope_notice{at.rope, one.number, 0}, result);
  }
}

// --- the end of a round ---

void rope_desk::result(const rope_notice& head, bytes_view body) {
  rope_station& at = station(head.rope);
  if (is_collector_of(at))
    distribute(at, head.round, body);
  else
    finish(at, head.round, body);
}

/// Of a decision the result has, for each member, its rank in 8 bytes and what was decided for it.
void rope_desk::finish(rope_station& at, std::uint32_t round, bytes_view result) {
  TERRANE_CHECK(!at.rounds.empty() && at.first_round == round);
  const rope_round one = std::move(at.rounds.front());
  at.rounds.pop_front();
  ++at.first_round;
  post_office& office = post_office::here();
  const auto* const bytes = static_cast<const unsigned char*>(result.data);
  const bool is_decision = one.how.what == collective::decision;
  const std::size_t each_bytes = is_decision ? 8 + one.how.result_bytes : result.size;
  TERRANE_CHECK(!is_decision || result.size == one.entered.size() * each_bytes);
  std::unordered_map<std::uint64_t, const unsigned char*> decided;
  if (is_decision)
    for (std::size_t i = 0; i < result.size; i += each_bytes) {
      std::uint64_t rank;
      std::memcpy(&rank, bytes + i, sizeof rank);
      decided[rank] = bytes + i + sizeof rank;
    }
  for (const rope_round::entry& each : one.entered) {
    if (!each.waits) continue;
    const unsigned char* const its = is_decision ? decided.at(each.rank) : bytes;
    TERRANE_CHECK(each.waits->bytes <= (is_decision ? one.how.result_bytes : result.size));
    if (each.waits->buffer && each.waits->bytes != 0)
      std::memcpy(each.waits->buffer, its, each.waits->bytes);
    office.end_collective(*each.its, *each.waits);
  }
}

}  // namespace terrane
