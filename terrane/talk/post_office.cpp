// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/post_office.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "terrane/core/node.hpp"
#include "terrane/core/reach.hpp"
#include "terrane/talk/hand_over.hpp"
#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/message_buffer.hpp"

namespace terrane {

namespace {

message_buffer& buffer_of(const transfer& one) { return *static_cast<message_buffer*>(one.buffer); }

/// Where the bytes of a message of that size come from, or go to.
void* bytes_of(const transfer& one) {
  return TERRANE_UNLIKELY(one.is_buffer) ? buffer_of(one).data() : one.buffer;
}

transfer& transfer_at(std::uint64_t address) {
  require_memory(terrane::here(),
                 terrane_place_on(terrane_here->number, reinterpret_cast<void*>(address)),
                 sizeof(transfer), true);
  return *reinterpret_cast<transfer*>(address);
}

}  // namespace

const terrane_operation thread_message{"thread_message", 20'000};

const char thread_mail::a_letter[] = "a message of another thread";

std::unique_ptr<thread_mail> thread_mail::make() { return std::make_unique<post_office>(); }

post_office::post_office()
    : limits_(terrane::here().letters()),
      is_plain_(limits_.wait == receive_wait::scheduler && !limits_.notes_waits),
      number_(terrane_here->number) {}

post_office::~post_office() {
  // A box that moves may lie in memory of a processor that is gone already.
  for (letter_box* each = boxes_; each; each = each->next) each->clear();
  for (auto& [who, its] : homes_)
    for (kept_letter* const each : its.held) letter_box::free_letter(each);
}

// --- boxes ---

terrane_slot_ref post_office::fibers_of(processor_id at) {
  return first_frame_name(at, processor::frames_offset) & (TERRANE_GENERATION_STEP - 1);
}

letter_box& post_office::own_box() {
  thread_block* const me = thread_block::current();
  if (TERRANE_LIKELY(me != nullptr)) return own_box(*me);
  if (!fibers_) {
    fibers_ = std::make_unique<letter_box>(fibers_of(number_), nullptr);
    fibers_->here = {number_, 1};
  }
  return *fibers_;
}

letter_box& post_office::open(thread_block& of) {
  thread_heap& heap = of.heap();
  heap.letters =
      ::new (heap.allocate(sizeof(letter_box), alignof(letter_box))) letter_box(of.id(), &heap);
  letter_box& made = *heap.letters;
  made.here = {number_, 1};
  if (!of.moves()) {
    link(made);
  } else {
    movers_[made.owner] = &made;
    send_note(processor_of(made.owner), {made.owner, 0, made.here});
  }
  return made;
}

void post_office::link(letter_box& one) {
  one.before = nullptr;
  one.next = boxes_;
  if (boxes_) boxes_->before = &one;
  boxes_ = &one;
}

void post_office::unlink(letter_box& one) {
  (one.before ? one.before->next : boxes_) = one.next;
  if (one.next) one.next->before = one.before;
}

letter_box* post_office::find_other(terrane_slot_ref who) {
  if (fibers_ && who == fibers_->owner) return fibers_.get();
  const auto found = movers_.find(who);
  return found == movers_.end() ? nullptr : found->second;
}

stay post_office::last_known(terrane_slot_ref who) {
  if (const letter_box* const one = find(who)) return one->here;
  if (const letter_peer* const peer = own_box().known_peer(who); peer && peer->at.known())
    return peer->at;
  if (const auto at = homes_.find(who); at != homes_.end() && at->second.last.known())
    return at->second.last;
  return {processor_of(who), 0};
}

// --- sends ---

void post_office::begin_send(letter_box& mine, transfer& one, bool waits_for_receive) {
  terrane_charge(&thread_message, 1);
  if (!one.is_buffer && hand_over(mine, one.peer, {mine.owner, one.context, one.tag},
                                  {one.buffer, one.bytes}, one.type))
    return finish(mine, one);
  dispatch(mine, one, waits_for_receive);
}

void post_office::dispatch(letter_box& mine, transfer& one, bool waits_for_receive) {
  letter_peer& peer = mine.peer(one.peer);
  peer.said += one.bytes;
  letter head{one.peer,    mine.owner, one.context, one.bytes, 0,        0,
              ++peer.sent, one.tag,    mine.here,   0,         one.type, letter_kind::plain};
  --head.number;  // from 0
  letter_box* const theirs = find(one.peer);
  void* const data = bytes_of(one);
  bool eager = one.bytes <= limits_.eager_bytes_max;
  // Wherever its receiver is by then.
  if (TERRANE_UNLIKELY(one.is_buffer) && one.bytes != 0 && buffer_of(one).is_everywhere()) {
    head.data = terrane_place_on(number_, buffer_of(one).release());
    head.gives = 1;
    eager = true;
  }
  const std::uint32_t weight = eager ? static_cast<std::uint32_t>(head.weight()) : 0;
  if (theirs) {
    eager = eager && theirs->kept_bytes() + weight <= limits_.kept_bytes_max;
  } else if (eager && peer.on_its_way + weight <= window_bytes) {
    peer.on_its_way += weight;
    head.kind = letter_kind::counted;
  } else {
    eager = false;
  }
  if (!eager && head.gives == 0) head.data = terrane_place_on(number_, data);
  if (!eager || waits_for_receive) {
    head.tells = reinterpret_cast<std::uint64_t>(&one);
    if (mine.heap) ++mine.heap->transfers;
  }
  if (theirs)
    take_in_turn(*theirs, head, data);
  else
    route(head, data, peer.at);
  if (head.tells == 0) finish(mine, one);
}

/// The receiver has taken the letter, or its bytes.
void post_office::received(std::uint64_t transfer_of_sender) {
  transfer& one = transfer_at(transfer_of_sender);
  letter_box* const mine = find(one.owner);
  TERRANE_CHECK(mine && one.what == transfer::sends && !one.is_done);
  if (mine->heap) --mine->heap->transfers;
  finish(*mine, one);
}

void post_office::tell_sender(const letter& head) {
  if (head.tells == 0) return;
  if (head.sent_from.at == number_)
    received(head.tells);
  else
    send_received(head.sent_from.at, head.tells);
}

void post_office::fetch(const content_request& asked, processor_id from) {
  require_memory(terrane::here(), asked.from, asked.bytes, false);
  send_fetched(from, asked.into, {terrane_address_in(asked.from), asked.bytes});
  received(asked.tells);
}

// --- receives ---

void post_office::begin_receive(letter_box& mine, transfer& one) {
  terrane_charge(&thread_message, 1);
  if (kept_letter* const found = mine.find_kept(one))
    take_found(mine, one, *found);
  else
    mine.post(one);
}

void post_office::take_found(letter_box& mine, transfer& one, kept_letter& found) {
  if (one.what == transfer::probes) {
    one.result = {{found.head.from}, static_cast<int>(found.head.tag), found.head.bytes};
    return finish(mine, one);
  }
  mine.take_out(found);
  take_kept(mine, one, found);
}

kept_letter& post_office::claim(letter_box& mine, const transfer& wanted) {
  kept_letter* const found = mine.find_kept(wanted);
  TERRANE_CHECK(found);
  mine.take_out(*found);
  ++mine.heap->transfers;
  return *found;
}

void post_office::receive_claimed(letter_box& mine, transfer& one, kept_letter& found) {
  --mine.heap->transfers;
  take_kept(mine, one, found);
}

void post_office::take_kept(letter_box& mine, transfer& one, kept_letter& found) {
  fill(mine, one, found.head, found.bytes());
  make_room(mine, found.head);
  letter_box::free_letter(&found);
}

/// A letter that may have come before others of its sender.
void post_office::take_in_turn(letter_box& mine, const letter& head, const void* data) {
  letter_peer& sender = mine.peer(head.from);
  sender.at.learn(head.sent_from);
  if (TERRANE_UNLIKELY(head.number != sender.taken)) return mine.keep_early(head, data);
  ++sender.taken;
  accept(mine, head, data);
  while (TERRANE_UNLIKELY(mine.has_early())) {
    letter_peer& again = mine.peer(head.from);
    kept_letter* const next = mine.take_early(head.from, again.taken);
    if (!next) return;
    ++again.taken;
    accept(mine, next->head, next->bytes());
    letter_box::free_letter(next);
  }
}

void post_office::accept(letter_box& mine, const letter& head, const void* data) {
  if (transfer* const into = mine.take_posted(head)) {
    fill(mine, *into, head, data);
    return make_room(mine, head);
  }
  mine.keep(head, data);
  while (transfer* const probe = mine.take_probe(head)) {
    probe->result = {{head.from}, static_cast<int>(head.tag), head.bytes};
    finish(mine, *probe);
  }
}

void post_office::fill(letter_box& mine, transfer& into, const letter& head, const void* data) {
  if (TERRANE_UNLIKELY(head.bytes > into.bytes)) too_long(into, head);
  if (TERRANE_UNLIKELY(head.type != into.type && head.type != 0 && into.type != 0))
    other_type(into, head);
  into.result = {{head.from}, static_cast<int>(head.tag), head.bytes};
  if (TERRANE_UNLIKELY(into.is_buffer && head.gives == 0))
    buffer_of(into) = message_buffer(static_cast<std::size_t>(head.bytes));
  if (head.data == 0) {
    if (head.bytes != 0) std::memcpy(bytes_of(into), data, head.bytes);
  } else if (TERRANE_UNLIKELY(head.gives != 0)) {
    auto given = message_buffer::adopt(terrane_address_in(head.data), head.bytes);
    if (into.is_buffer)
      buffer_of(into) = std::move(given);
    else
      std::memcpy(into.buffer, given.data(), head.bytes);
  } else if (head.bytes != 0) {
    const processor_id owner = terrane_owner_of(head.data);
    const void* const from = terrane_address_in(head.data);
    neighbours* const others = terrane::here().world().neighbours;
    if (owner == number_) {
      std::memcpy(bytes_of(into), from, head.bytes);
    } else if (!others || !others->fetch(owner, from, bytes_of(into), head.bytes)) {
      into.is_fetching = true;
      into.fetched_from = owner;
      ++mine.heap->transfers;
      return send_fetch(
          owner, {head.data, head.bytes, head.tells, reinterpret_cast<std::uint64_t>(&into)});
    }
  }
  tell_sender(head);
  finish(mine, into);
}

void post_office::fetched(std::uint64_t into, bytes_view data) {
  transfer& one = transfer_at(into);
  letter_box* const mine = find(one.owner);
  TERRANE_CHECK(mine && one.is_fetching && data.size == one.result.bytes);
  std::memcpy(bytes_of(one), data.data, data.size);
  one.is_fetching = false;
  --mine->heap->transfers;
  finish(*mine, one);
}

/// Nobody waits for it: its slot is told, and it is freed.
void post_office::finish_alone(letter_box& mine, transfer& one) {
  const terrane_slot_ref told = one.told;
  mine.free_transfer(one);
  if (--mine.left_alone == 0 && mine.ends != 0) terrane_signal(std::exchange(mine.ends, 0));
  terrane_signal(told);
}

void post_office::end_collective(letter_box& mine, transfer& one) {
  --mine.heap->transfers;
  finish(mine, one);
}

// --- waiting ---

void post_office::note_runs(letter_box& its) {
  if (TERRANE_UNLIKELY(its.load.is_measured))
    meter_.begins(its.load, terrane::here().world().now());
}

void post_office::note_stops(letter_box& its) {
  if (TERRANE_UNLIKELY(its.load.is_measured)) meter_.stops(its.load, terrane::here().world().now());
}

inline void post_office::wait_for_signal(thread_block& me, letter_box& mine, transfer_wait& until) {
  until.slot = me.expect();
  mine.waits_until = &until;
  me.block(thread_mail::a_letter);
  mine.waits_until = nullptr;
}

void post_office::wait_unnoted(thread_block& me, letter_box& mine, transfer_wait& until,
                               const transfer& one) {
  if (limits_.wait == receive_wait::scheduler) return wait_for_signal(me, mine, until);
  const bool may_end = one.may_be_withdrawn();
  const int priority = me.priority();
  if (limits_.wait == receive_wait::spin) me.set_priority(0);
  mine.hears_of_loss = false;
  while (static_cast<std::int32_t>(until.needed) > 0 && !(may_end && mine.heap->is_cancelled) &&
         !mine.hears_of_loss) {
    terrane_charge(&thread_message, 1);
    me.yield();
  }
  me.set_priority(priority);
}

void post_office::wait(thread_block& me, letter_box& mine, transfer_wait& until,
                       const transfer& one) {
  mine.waits_on = &one;
  if (TERRANE_UNLIKELY(mine.heap->is_cancelled) && one.may_be_withdrawn()) return;
  note_stops(mine);
  if (TERRANE_LIKELY(is_plain_))
    wait_for_signal(me, mine, until);
  else if (lost_for(mine, one))
    return note_runs(mine);  // it would wait for ever
  else if (limits_.notes_waits)
    wait_noted(me, mine, until, one);
  else
    wait_unnoted(me, mine, until, one);
  note_runs(mine);
  terrane::here().pay_nothing();
}

}  // namespace terrane
