// SPDX-License-Identifier: Apache-2.0
// rope_desk.hpp: the ropes that have members on a processor, and their collectives.
//
// State       A station for each rope: the names of all members, how many are here, and the rounds
//             of collectives that are not over. The processor that made the rope is its home, whose
//             station also gathers what the others send.
// Steps       enter    a member's contribution joins those of its station. When all members that
//                      are here have entered, the station sends what they contributed, combined,
//                      to the home; a member that comes later is sent for alone.
//             collect  on another node than the home's that goes through the node's collector, its
//                      first processor. It sends on when all members of its node have entered.
//             take     the home combines. When all members have contributed, it sends the result
//                      to the stations that have sent something.
//             result   the station wakes its members.
//             asks     a member that has come to a processor where nobody knows the members asks
//                      the home for them when it next uses the rope.
// Argument    A member that has entered does not move until the round is over (its transfer pins
//             it). So those that have entered at a station are there when the result comes; and a
//             member that moves between rounds is counted where it then is. The home counts
//             contributions, not nodes, so it does not matter which station sent them.
//             A station tells the collector how many members it has, before what they contribute.
//             What the collector believes only says when it sends on. It is told of each that
//             leaves, so it waits for nobody who is not there.
// Cost        Members of one processor: no message. Else a message from each other node with
//             members, and one back; within a node one from each processor, and one back.
// Source      [CHANT §2.1] (ropes).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "terrane/core/place.hpp"
#include "terrane/talk/letter_box.hpp"
#include "terrane/talk/rope_pieces.hpp"

namespace terrane {

/// What the members of a rope do together. All name the same.
struct collective {
  enum kind : std::uint32_t { barrier, broadcast, reduction, all_to_all_members, decision };
  static constexpr std::uint32_t no_root = ~0u;

  kind what = barrier;
  std::uint32_t root = no_root;
  std::uint64_t bytes = 0;         // of each contribution
  std::uint64_t result_bytes = 0;  // for each member
  std::int64_t function = 0;       // of a reduction or decision: its distance in the executable
  bool operator==(const collective&) const = default;
  const char* name() const;
};
/// Computes each member's result of so many bytes from all contributions, in the order of ranks.
using decide_function = void (*)(std::uint32_t members, const unsigned char* all, std::size_t bytes,
                                 unsigned char* results, std::size_t result_bytes);
/// How functions travel.
std::int64_t distance_of(const void* function);

struct contribution_head {
  terrane_slot_ref rope;
  collective how;
  std::uint32_t round, members;
};
struct rope_notice {
  terrane_slot_ref rope;
  std::uint32_t round, members;
};

struct rope_round {
  std::uint32_t number = 0;
  collective how;
  call_place where;
  std::uint32_t first_rank = 0;  // who entered first
  struct entry {
    transfer* waits;  // null: it was withdrawn
    letter_box* its;  // of its thread, which stays until the round is over
    std::uint32_t rank;
  };
  std::vector<entry> entered;
  std::uint32_t unsent = 0;  // of them
  rope_pieces pieces;
};

/// What the home has of a round.
struct gathered_round {
  std::uint32_t number = 0, members = 0;
  std::uint32_t unsent = 0;  // of them, at a collector
  collective how;
  rope_pieces pieces;
  struct sender {
    processor_id at;
    std::vector<std::uint32_t> ranks;  // of a decision
  };
  std::vector<sender> senders;
};

struct rope_station {
  terrane_slot_ref rope = 0;
  std::vector<terrane_slot_ref> members;  // by rank; empty: not known yet
  std::unordered_map<terrane_slot_ref, std::uint32_t> ranks;
  std::uint32_t here = 0;    // members that are on this processor and use the rope
  std::uint32_t begins = 0;  // members that were made here by rope::create, and have not begun
  std::vector<terrane_slot_ref> waiting;  // slots of members that wait to begin
  std::deque<rope_round> rounds;
  std::uint32_t first_round = 0;
  // at home
  std::deque<gathered_round> gathered;
  std::uint32_t first_gathered = 0;
  std::vector<processor_id> askers;  // for the names of the members, before they are known
  // where a node's members come together
  std::uint32_t told = 0;                             // to the collector: how many are here
  std::int64_t in_node = 0;                           // at the collector: of how many it was told
  std::map<std::uint32_t, gathered_round> collected;  // by number
};

class rope_desk {
 public:
  static rope_desk& here();
  explicit rope_desk(processor_id number) : number_(number) {}

  /// A name for a rope of this processor.
  terrane_slot_ref new_name() {
    constexpr std::uint64_t first = processor::frames_offset / 64;  // as names are printed
    return ((first + ++made_) << 26) | number_;
  }
  /// At home: these are its members.
  void found(terrane_slot_ref rope, std::vector<terrane_slot_ref> members);
  /// A member of that rope was made here.
  void expect(terrane_slot_ref rope) { ++station(rope).begins; }
  /// The first code of such a member: returns when all members are known and those of this
  /// processor have begun.
  void begin(terrane_slot_ref rope);

  /// The running thread's membership; R-306 if it is no member.
  rope_membership& membership(terrane_slot_ref rope);
  /// The same for the thread with that box.
  rope_membership& membership(letter_box& box, terrane_slot_ref rope) {
    for (rope_membership& each : box.ropes)
      if (each.rope == rope && !each.station->members.empty()) return each;
    return find_membership(box, rope);
  }
  const std::vector<terrane_slot_ref>& members(terrane_slot_ref rope) {
    return membership(rope).station->members;
  }
  /// `rank 3 <2,17>`, as far as is known here; of no rope, or no member: `<2,17>`.
  std::string name_in(terrane_slot_ref rope, terrane_slot_ref member) const;
  /// As far as is known here.
  const std::vector<terrane_slot_ref>& known_members(terrane_slot_ref rope) {
    return station(rope).members;
  }
  /// Its thread waits no longer for the round that it was entered for, which may end yet.
  void withdraw(transfer& entered);
  void enter(letter_box& box, rope_membership& who, transfer& waits, const collective& how,
             const void* brings);

  /// Who places members at their balance(); null: nobody. Made on first use.
  rope_balancer* policy();

  void leaves(letter_box& box);
  void comes(letter_box& box);
  void ended(letter_box& box);

  // --- what arrives ---
  void contributed(processor_id from, const contribution_head& head, bytes_view body);
  void result(const rope_notice& head, bytes_view body);
  /// At a collector: a station of its node has so many members more, and so many fewer.
  void hear_stand(const rope_notice& change);
  void asked_for_members(terrane_slot_ref rope, processor_id by);
  void hear_members(terrane_slot_ref rope, bytes_view ids);

 private:
  rope_station& station(terrane_slot_ref rope);
  void learn(rope_station& at, std::vector<terrane_slot_ref> members);
  void wait_for_members(rope_station& at);
  rope_membership& find_membership(letter_box& box, terrane_slot_ref rope);
  rope_round& round_of(rope_station& at, std::uint32_t number) {
    const bool is_first = !at.rounds.empty() && number == at.first_round;
    return is_first ? at.rounds.front() : later_round(at, number);
  }
  rope_round& later_round(rope_station& at, std::uint32_t number);
  void flush(rope_station& at, rope_round& one);
  void flush_complete(rope_station& at);
  void take(rope_station& at, processor_id from, const contribution_head& head,
            const rope_pieces& pieces);
  void complete(rope_station& at, gathered_round& one);
  void gather(rope_station& at, gathered_round& one, processor_id from,
              const contribution_head& head, const rope_pieces& pieces);
  void send_up(processor_id to, const contribution_head& head, const rope_pieces& pieces);
  /// Where the contributions of this processor go: the home, or the node's collector.
  processor_id above(const rope_station& at) const;
  bool is_collector_of(const rope_station& at) const;
  void tell_collector(rope_station& at);
  void collect(rope_station& at, processor_id from, const contribution_head& head,
               const rope_pieces& pieces);
  void send_on(rope_station& at);
  void distribute(rope_station& at, std::uint32_t round, bytes_view result);
  void finish(rope_station& at, std::uint32_t round, bytes_view result);

  const processor_id number_;
  std::uint64_t made_ = 0;
  std::unordered_map<terrane_slot_ref, std::unique_ptr<rope_station>> stations_;
  std::unique_ptr<rope_balancer> policy_;
};

}  // namespace terrane
