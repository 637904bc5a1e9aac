// SPDX-License-Identifier: Apache-2.0
// post_moves.cpp: how letters find threads that move, and what the steps of a thread's life change.
#include <algorithm>
#include <utility>

#include "terrane/talk/hand_over.hpp"
#include "terrane/talk/letter_errors.hpp"
#include "terrane/thread/journey.hpp"

namespace terrane {

namespace {

bool lies_in(const stack_span& span, const void* address) {
  return address >= span.low && address < span.high();
}

}  // namespace

// --- letters ---

/// Sends it to that stay; if that is unknown, to its home.
void post_office::route(letter& head, const void* data, const stay& to) {
  head.aimed = to.move;
  const bool has_left = to.at == number_;
  const processor_id next = to.known() && !has_left ? to.at : processor_of(head.to);
  if (next == number_)
    at_home(head, data);
  else
    send_letter(next, head, data);
}

void post_office::deliver(letter head, const void* data) {
  if (letter_box* const mine = find(head.to)) {
    if (TERRANE_LIKELY(head.is_message())) return take_in_turn(*mine, head, data);
    return take_other(*mine, head);
  }
  ++terrane::here().counts().letters_sent_on;
  if (processor_of(head.to) == number_)
    at_home(head, data);
  else
    send_letter(processor_of(head.to), head, data);
}

void post_office::take_other(letter_box& mine, const letter& head) {
  if (head.kind == letter_kind::room) {
    letter_peer& peer = mine.peer(head.from);
    peer.at.learn(head.sent_from);
    peer.on_its_way -= static_cast<std::uint32_t>(head.bytes);
    return;
  }
  if (!mine.heap || std::exchange(mine.heap->is_cancelled, true)) return;
  if (mine.waits_until && mine.waits_until->slot != 0 && mine.waits_on->may_be_withdrawn())
    terrane_signal(std::exchange(mine.waits_until->slot, 0));
}

void post_office::give_up(transfer& one) {
  one.waiter = nullptr;
  if (one.in) return letter_box::withdraw(one);
  while (!one.is_done) {  // its bytes are under way
    thread_block& me = thread_block::current("recv");
    transfer_wait until{1, me.expect()};
    one.waiter = &until;
    me.block(thread_mail::a_letter);
  }
}

void post_office::cancel(terrane_slot_ref who) {
  letter head{who, own_box().owner, 0, 0, 0, 0, 0, 0, own_box().here, 0, 0, letter_kind::cancel};
  if (letter_box* const its = find(who))
    take_other(*its, head);
  else
    route(head, nullptr, last_known(who));
}

/// Its receiver is not here, which is its home.
void post_office::at_home(letter& head, const void* data) {
  const joinable* const one = joinable::find(head.to);
  if (!one || one->ended() || !one->is_away()) {
    if (head.is_message()) to_ended(head);
    return;
  }
  home& its = homes_[head.to];
  if (its.last.move > head.aimed) {
    head.aimed = its.last.move;
    send_letter(its.last.at, head, data);
    if (head.is_message()) send_note(head.sent_from.at, {head.to, head.from, its.last});
  } else {
    its.held.push_back(letter_box::copied(head, data));
  }
}

void post_office::hear(const whereabouts_note& note) {
  if (note.tells != 0) {
    if (letter_box* const told = find(note.tells)) told->peer(note.who).at.learn(note.at);
    return;
  }
  if (!note.at.known()) {
    const auto ends = homes_.find(note.who);
    if (ends == homes_.end()) return;
    for (kept_letter* const each : ends->second.held) {
      if (each->head.tells != 0) to_ended(each->head);
      letter_box::free_unreceived(each);
    }
    homes_.erase(ends);
    return;
  }
  home& its = homes_[note.who];
  its.last.learn(note.at);
  const stay now = its.last;
  for (kept_letter* const each : std::exchange(its.held, {})) {
    letter& head = each->head;
    head.aimed = now.move;
    if (letter_box* const mine = now.at == number_ ? find(head.to) : nullptr) {
      if (head.is_message())
        take_in_turn(*mine, head, each->bytes());
      else
        take_other(*mine, head);
    } else {
      send_letter(now.at, head, each->bytes());
      if (head.is_message()) send_note(head.sent_from.at, {head.to, head.from, now});
    }
    letter_box::free_letter(each);
  }
}

// --- the steps of a thread's life ---

bool post_office::holds(const thread_block& one) {
  const thread_heap& heap = *one.heap_or_null();
  if (heap.transfers != 0 || heap.letters->left_alone != 0) return true;
  bool outside = false;
  heap.letters->for_each_posted([&](const transfer& each) {
    if (each.bytes != 0 && !lies_in(one.its_stack().span, each.buffer) && !heap.holds(each.buffer))
      outside = true;
  });
  return outside;
}

void post_office::leaves(thread_block& one) {
  letter_box& its = *one.heap_or_null()->letters;
  note_stops(its);
  movers_.erase(its.owner);
  if (!its.ropes.empty()) ropes().leaves(its);
  its.pack();
}

void post_office::stays(thread_block& one) {
  letter_box& its = *one.heap_or_null()->letters;
  movers_[its.owner] = &its;
  if (!its.ropes.empty()) ropes().comes(its);
  its.unpack();
  note_runs(its);
}

void post_office::comes(thread_block& one) {
  stays(one);
  letter_box& its = *one.heap_or_null()->letters;
  its.here = {number_, its.here.move + 1};
  send_note(processor_of(its.owner), {its.owner, 0, its.here});
}

void post_office::ended(thread_block& running) {
  letter_box& mine = *running.heap_or_null()->letters;
  mine.for_each_posted([&](const transfer& each) {
    if (each.told != 0) --mine.left_alone;  // nobody else holds it, and nothing will come for it
  });
  if (mine.left_alone != 0) {
    mine.ends = running.expect();
    running.block("its last messages");
    terrane::here().pay_nothing();
  }
  for (kept_letter* each = mine.first_kept(); each; each = each->next)
    if (each->head.tells != 0) to_ended(each->head);
  mine.clear();
  kept_max_ = std::max(kept_max_, mine.kept_max());
  if (!mine.ropes.empty()) ropes().ended(mine);
  if (movers_.erase(mine.owner) != 0)
    send_note(processor_of(mine.owner), {mine.owner, 0, {}});
  else
    unlink(mine);
  running.heap_or_null()->letters = nullptr;
}

const char* post_office::describe_wait(const thread_block& waits) {
  const letter_box* const its = waits.heap_or_null() ? waits.heap_or_null()->letters : nullptr;
  described_ = its && its->waits_on ? describe(*its, ropes_) : std::string(thread_mail::a_letter);
  return described_.c_str();
}

}  // namespace terrane
