// SPDX-License-Identifier: Apache-2.0
// hand_over.hpp: a message to a thread of this processor that has posted the receive for it: no
// letter, and for who waits no transfer, is made.
//
// Invariants  As take_in_turn(), accept() and fill() of the post office would do. The number of the
//             message is the one that is due and nothing of its sender came early, so nothing is
//             overtaken; the receive is the one that accept() would choose. What those have to
//             report is left to them.
// Source      [CHANT §2.1]; letters.md.
#pragma once

#include <cstring>
#include <utility>

#include "terrane/talk/post_office.hpp"

namespace terrane {

/// The box of that thread, if the thread is here; a thread that never moves gets one.
inline letter_box* post_office::find(terrane_slot_ref who) {
  if (processor_of(who) != number_) return find_other(who);
  joinable* const one = joinable::find(who);
  if (TERRANE_UNLIKELY(!one || one->is_away())) return find_other(who);
  if (one->ended()) return nullptr;
  auto& block = static_cast<thread_block&>(*one);
  return &own_box(block);
}

/// Whoever waits for it is told. A transfer that nobody waits for is freed.
inline void post_office::finish(letter_box& mine, transfer& one) {
  one.is_done = true;
  if (one.waiter && --one.waiter->needed == 0 && one.waiter->slot != 0)
    terrane_signal(std::exchange(one.waiter->slot, 0));
  if (TERRANE_UNLIKELY(one.told != 0)) finish_alone(mine, one);
}

inline void post_office::begin_awaited(letter_box& mine, transfer& one) {
  terrane_charge(&thread_message, 1);
  kept_letter* const found = mine.first_kept() ? mine.find_kept(one) : nullptr;
  if (TERRANE_LIKELY(!found)) return mine.post_last(one);
  take_found(mine, one, *found);
}

inline bool post_office::hand_over(letter_box& mine, terrane_slot_ref to, const letter_key& like,
                                   bytes_view what, std::uint32_t type) {
  letter_box* const theirs = find(to);
  if (!theirs || theirs->has_early()) return false;
  transfer* const into = theirs->find_posted(like);
  if (!into || into->is_buffer || what.size > into->bytes) return false;
  if (TERRANE_UNLIKELY(type != into->type && type != 0 && into->type != 0)) return false;
  letter_peer& sender = theirs->peer(mine.owner);
  letter_peer& peer = mine.peer(to);  // of a thread that sends to itself, the same
  if (TERRANE_UNLIKELY(peer.sent != sender.taken)) return false;
  peer.said += what.size;
  ++peer.sent;
  ++sender.taken;
  sender.at.learn(mine.here);
  transfer_list::remove(*into);
  into->result = {{like.from}, static_cast<int>(like.tag), what.size};
  if (what.size == sizeof(std::uint64_t))
    std::memcpy(into->buffer, what.data, sizeof(std::uint64_t));
  else if (what.size != 0)
    std::memcpy(into->buffer, what.data, what.size);
  finish(*theirs, *into);
  return true;
}

}  // namespace terrane
