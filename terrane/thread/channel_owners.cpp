// SPDX-License-Identifier: Apache-2.0
// channel_owners.cpp: who owns an end: how a thread gets it, and gives it up.
#include <cstdio>
#include <new>

#include "terrane/thread/alt.hpp"
#include "terrane/thread/channel_desk.hpp"
#include "terrane/thread/channel_home.hpp"
#include "terrane/thread/channel_messages.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_id.hpp"

namespace terrane {

namespace {

const char* called(terrane_slot_ref end) { return goes(end, outwards) ? "sending" : "receiving"; }

[[noreturn, gnu::cold]] void owned_by(const char* other, const char* thread, terrane_slot_ref end) {
  fail(run_time_error::end_misused,
       "thread %s uses the %s end of channel %s, which thread %s owns: an end is of one thread, "
       "until that thread sends it, gives it up, or ends",
       thread, called(end), printed_name(channel_of(end)).c_str(), other);
}

[[noreturn, gnu::cold]] void no_such_end(terrane_slot_ref end, const thread_block& me,
                                         const char* what) {
  if (!goes(end, outwards) && !goes(end, inwards))
    fail(run_time_error::end_misused,
         "thread %s %s what is no end of a channel: channel_ends<T>::make() makes both",
         me.thread_name(), what);
  fail(run_time_error::end_misused, "thread %s %s the %s end of channel %s", me.thread_name(), what,
       called(end), printed_name(channel_of(end)).c_str());
}

}  // namespace

/// The thread has not used the end on this processor yet. Null: the channel is closed.
channel_desk::entry_of* channel_desk::take_up(terrane_slot_ref end, channel_way way,
                                              thread_block& me, const char* what) {
  if (!goes(end, way)) no_such_end(end, me, what);
  const terrane_slot_ref channel = channel_of(end);
  for (channel_half* each = me.heap().ends; each; each = each->next)
    if (each->channel == channel && each->way == way) {
      each->here = {terrane_here->number, each->here.move + 1};
      each->announced = false;
      return &use<event_id::end_came>(*each, me);
    }
  if (const entry_of* const known = find(channel); known && known->sides[way].user != 0)
    if (const side& its = known->sides[way]; is_live(its))
      owned_by(thread_in(*terrane_frame_at(terrane_here, its.user))->thread_name(),
               me.thread_name(), end);
  return processor_of(channel) == terrane_here->number ? claim_here(end, me)
                                                       : claim_elsewhere(end, me);
}

template <event_id How>
channel_desk::entry_of& channel_desk::use(channel_half& half, const thread_block& user) {
  entry_of& at = find_or_add(half.channel);
  at.sides[half.way] = {&half, user.name(), nullptr};
  record_of_end<How>(half, user.id(), user.departures());
  return at;
}

// --- claims ---

namespace {

/// The half of an end that nobody owns, for a thread there. Null: the channel is closed.
channel_half* free_half(terrane_slot_ref end, processor_id at, const char* thread) {
  channel_home* const home = channel_home::find(channel_of(end));
  if (!home) return nullptr;
  channel_home::end& one = home->ends[goes(end, outwards) ? outwards : inwards];
  if (one.is_done) return nullptr;
  if (one.is_owned) owned_by(one.owner, thread, end);
  one.is_owned = true;
  std::snprintf(one.owner, sizeof one.owner, "%s", thread);
  one.half.here = {at, one.half.here.move + 1};
  one.half.announced = true;  // news by way of the home goes there from now on
  one.known.learn(one.half.here);
  return &one.half;
}

}  // namespace

channel_desk::entry_of* channel_desk::claim_here(terrane_slot_ref end, thread_block& me) {
  const channel_half* const free = free_half(end, terrane_here->number, me.thread_name());
  return free ? &use<event_id::end_taken>(keep(*free, me), me) : nullptr;
}

channel_desk::entry_of* channel_desk::claim_elsewhere(terrane_slot_ref end, thread_block& me) {
  const terrane_slot_ref channel = channel_of(end);
  channel_half& room = keep({channel, goes(end, outwards) ? outwards : inwards}, me);
  claim_request asked{end, me.name(), me.expect(), &room, terrane_here->number, {}};
  std::snprintf(asked.thread, sizeof asked.thread, "%s", me.thread_name());
  send_claim(asked);
  terrane::here().pay_nothing();
  me.block("an end of a channel");
  terrane::here().pay_nothing();
  if (room.here.known()) return find(channel);
  drop(room, me);
  return nullptr;
}

/// At home, for a thread elsewhere.
void channel_desk::claim(const claim_request& asked) {
  const terrane_slot_ref channel = channel_of(asked.end);
  const channel_half* const free = free_half(asked.end, asked.at, asked.thread);
  if (free) find(channel)->sides[free->way] = {};
  send_claimed(asked, free);
}

/// The half lies in the table at once: news may follow it.
void channel_desk::claimed(const claim_request& asked, const channel_half* half) {
  if (half) {
    channel_half& room = *asked.room;
    channel_half *const next = room.next, *const before = room.before;
    room = *half;
    room.next = next;
    room.before = before;
    joinable* const user = thread_in(*terrane_frame_at(terrane_here, asked.block));
    use<event_id::end_taken>(room, static_cast<const thread_block&>(*user));
  }
  terrane_signal(asked.told);
}

// --- in the heap of the owner ---

channel_half& channel_desk::keep(const channel_half& from, thread_block& me) {
  thread_heap& heap = me.heap();
  auto* const mine =
      ::new (heap.allocate(sizeof(channel_half), alignof(channel_half))) channel_half(from);
  mine->guard = nullptr;
  mine->before = nullptr;
  mine->next = heap.ends;
  if (heap.ends) heap.ends->before = mine;
  heap.ends = mine;
  return *mine;
}

void channel_desk::drop(channel_half& half, thread_block& me) {
  thread_heap& heap = me.heap();
  me.forgets(half);
  (half.before ? half.before->next : heap.ends) = half.next;
  if (half.next) half.next->before = half.before;
  if (half.guard) half.guard->lose();
  heap.deallocate(&half, sizeof half, alignof(channel_half));
}

/// The same for a half that is in the table.
void channel_desk::forget(channel_half& half, thread_block& me) {
  if (entry_of* const at = find(half.channel); at && at->sides[half.way].half == &half)
    at->sides[half.way] = {};
  drop(half, me);
}

// --- giving up ---

void channel_desk::give_up(terrane_slot_ref end) {
  thread_block& me = thread_block::current("give_up");
  if (!me.heap_or_null()) return;
  for (channel_half* each = me.heap().ends; each; each = each->next)
    if (each->channel == channel_of(end) && goes(end, each->way)) {
      give_up(*each, me);
      terrane::here().pay_nothing();
      me.block("the home of a channel");
      return terrane::here().pay_nothing();
    }
}

void channel_desk::give_up_all(thread_block& running) {
  const thread_heap* const heap = running.heap_or_null();
  if (!heap || !heap->ends) return;
  channel_half* next = heap->ends;
  channel_desk& mine = here();
  while (next) {
    channel_half& one = *next;
    next = one.next;
    mine.give_up(one, running);
  }
  terrane::here().pay_nothing();
  running.block("the homes of channels");
  terrane::here().pay_nothing();
}

/// The home knows it when the thread goes on: whoever uses the end next may have heard of it from
/// this thread, and is not to be taken for an intruder.
void channel_desk::give_up(channel_half& half, thread_block& me) {
  channel_half gone = half;
  gone.guard = nullptr;
  gone.next = gone.before = nullptr;
  record_of_end<event_id::end_left>(half);
  forget(half, me);
  if (processor_of(gone.channel) == terrane_here->number)
    rest(gone);
  else
    send_back(gone, me.expect());
}

/// At home: nobody owns the end any longer.
void channel_desk::rest(const channel_half& half) {
  channel_home* const home = channel_home::find(half.channel);
  TERRANE_CHECK(home && home->ends[half.way].is_owned);
  channel_home::end& one = home->ends[half.way];
  one.half = half;
  one.is_owned = false;
  entry_of& at = find_or_add(half.channel);
  at.sides[half.way] = {&one.half, 0, nullptr};
  record_of_end<event_id::end_rests>(one.half);
  if (one.known.holds_news()) absorb(at, one.known.take());
}

void channel_desk::take_back(const channel_half& half, terrane_slot_ref told) {
  rest(half);
  terrane_signal(told);
}

}  // namespace terrane
