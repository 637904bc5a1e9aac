// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/send_recv.hpp"

#include "terrane/core/failure.hpp"
#include "terrane/talk/hand_over.hpp"
#include "terrane/talk/letter_errors.hpp"
#include "terrane/thread/thread_end.hpp"

namespace terrane {

namespace {

[[gnu::cold]] void impossible_send(const correspondence& to, call_place where) {
  if (to.tag < 0) no_such_tag("send", to.tag, where);
  fail(run_time_error::message_out_of_range,
       "a send at %s goes to any_source: name the thread that is to have it",
       short_place(where).c_str());
}

bool is_possible(const correspondence& to) { return to.tag >= 0 && to.peer != any_source; }

transfer sending(const correspondence& to, bytes_view what, std::uint32_t type, call_place where) {
  if (TERRANE_UNLIKELY(!is_possible(to))) impossible_send(to, where);
  transfer one{.what = transfer::sends,
               .peer = to.peer.name,
               .tag = static_cast<std::uint32_t>(to.tag),
               .type = type,
               .context = to.context,
               .buffer = const_cast<void*>(what.data),
               .bytes = what.size,
               .where = where};
  return one;
}

transfer receiving(transfer::kind what, const correspondence& from, const receive_room& into,
                   call_place where) {
  if (from.tag < any_tag) no_such_tag(what == transfer::probes ? "probe" : "recv", from.tag, where);
  transfer one{.what = what,
               .is_buffer = into.is_buffer,
               .peer = from.peer.name,
               .tag = static_cast<std::uint32_t>(from.tag),
               .type = into.type,
               .context = from.context,
               .buffer = into.start,
               .bytes = into.bytes,
               .where = where};
  return one;
}

/// The running thread, which such an operation needs.
thread_block& its_thread(const transfer& one) {
  thread_block* const me = thread_block::current();
  return TERRANE_LIKELY(me != nullptr) ? *me : thread_block::current(one.verb());
}

/// Begins it for the running thread, and waits.
template <class Begin>
void carry_out(transfer& one, Begin&& begin) {
  thread_block& me = its_thread(one);
  post_office& office = post_office::here();
  letter_box& mine = office.own_box(me);
  one.owner = mine.owner;
  transfer_wait until{1};
  one.waiter = &until;
  begin(office, mine);
  while (!one.is_done) {
    office.wait(me, mine, until, one);
    if (TERRANE_LIKELY(one.is_done)) return;
    office.throw_if_lost(mine, one);
    if (!mine.heap->is_cancelled || !one.may_be_withdrawn()) continue;
    post_office::give_up(one);
    throw thread_cancelled();
  }
}

template <class Begin>
request leave_under_way(const transfer& like, Begin&& begin) {
  thread_block& me = its_thread(like);
  post_office& office = post_office::here();
  letter_box& mine = office.own_box(me);
  transfer& one = mine.make_transfer(like);
  one.owner = mine.owner;
  begin(office, mine, one);
  return request(one);
}

template <class Begin>
void leave_alone(const transfer& like, slot_ref done, Begin&& begin) {
  post_office& office = post_office::here();
  letter_box& mine = office.own_box();
  transfer& one = mine.make_transfer(like);
  one.owner = mine.owner;
  one.told = done.raw;
  ++mine.left_alone;
  begin(office, mine, one);
}

status of_nobody() { return {no_thread, any_tag, 0}; }

}  // namespace

void send_bytes(const correspondence& to, bytes_view what, std::uint32_t type, send_form how,
                call_place where) {
  thread_block* const me = thread_block::current();
  const bool goes = is_possible(to) && to.peer != no_thread;
  if (TERRANE_LIKELY(me && goes)) {
    post_office& office = post_office::here();
    letter_box& mine = office.own_box(*me);
    const letter_key like{mine.owner, to.context, static_cast<std::uint32_t>(to.tag)};
    terrane_charge(&thread_message, 1);
    if (office.hand_over(mine, to.peer.name, like, what, type)) return;
  }
  transfer one = sending(to, what, type, where);
  if (to.peer == no_thread) return;
  carry_out(one, [&](post_office& office, letter_box& mine) {
    office.dispatch(mine, one, how == send_form::until_received);
  });
}

void send_buffer(const correspondence& to, message_buffer&& what, send_form how, call_place where) {
  message_buffer mine = std::move(what);
  transfer one = sending(to, {&mine, mine.bytes()}, 0, where);
  one.is_buffer = true;
  if (to.peer == no_thread) return;
  carry_out(one, [&](post_office& office, letter_box& box) {
    office.begin_send(box, one, how == send_form::until_received);
  });
}

status receive_bytes(const correspondence& from, const receive_room& into, call_place where) {
  transfer one = receiving(transfer::receives, from, into, where);
  if (from.peer == no_thread) return of_nobody();
  carry_out(one, [&](post_office& office, letter_box& mine) { office.begin_awaited(mine, one); });
  return one.result;
}

request begin_send(const correspondence& to, bytes_view what, std::uint32_t type, send_form how,
                   call_place where) {
  const transfer one = sending(to, what, type, where);
  if (to.peer == no_thread) return {};
  return leave_under_way(one, [&](post_office& office, letter_box& mine, transfer& began) {
    office.begin_send(mine, began, how == send_form::until_received);
  });
}

request begin_receive(const correspondence& from, const receive_room& into, call_place where) {
  const transfer one = receiving(transfer::receives, from, into, where);
  if (from.peer == no_thread) return {};
  return leave_under_way(one, [&](post_office& office, letter_box& mine, transfer& began) {
    office.begin_receive(mine, began);
  });
}

void begin_send(const correspondence& to, bytes_view what, std::uint32_t type, slot_ref done,
                call_place where) {
  const transfer one = sending(to, what, type, where);
  if (to.peer == no_thread) return done.signal();
  leave_alone(one, done, [&](post_office& office, letter_box& mine, transfer& began) {
    office.begin_send(mine, began, false);
  });
}

void begin_receive(const correspondence& from, const receive_room& into, slot_ref done,
                   call_place where) {
  const transfer one = receiving(transfer::receives, from, into, where);
  if (from.peer == no_thread) return done.signal();
  thread_block::current("irecv");
  leave_alone(one, done, [&](post_office& office, letter_box& mine, transfer& began) {
    office.begin_receive(mine, began);
  });
}

status probe_for(const correspondence& from, call_place where) {
  transfer one = receiving(transfer::probes, from, {}, where);
  if (from.peer == no_thread) return of_nobody();
  carry_out(one, [&](post_office& office, letter_box& mine) { office.begin_receive(mine, one); });
  return one.result;
}

std::optional<status> probe_now(const correspondence& from, call_place where) {
  const transfer one = receiving(transfer::probes, from, {}, where);
  if (from.peer == no_thread) return of_nobody();
  thread_block::current("iprobe");
  here().heed_if_asked();
  const kept_letter* const found = post_office::here().own_box().find_kept(one);
  if (!found) return {};
  return status{{found->head.from},
                static_cast<int>(found->head.tag),
                static_cast<std::size_t>(found->head.bytes)};
}

found_message find_message(const correspondence& from, call_place where) {
  found_message found;
  found.how_ = probe_for(from, where);
  if (from.peer == no_thread) return found;
  const transfer exact =
      receiving(transfer::receives, {found.how_.source, found.how_.tag, from.context}, {}, where);
  found.its_ = &post_office::claim(post_office::here().own_box(), exact);
  return found;
}

found_message::~found_message() {
  if (its_)
    fail(run_time_error::request_misused,
         "a message from %s, tag %d, was taken by mprobe and never received",
         how_.source.text().c_str(), how_.tag);
}

status found_message::receive(const receive_room& into, call_place where) {
  if (!its_) return of_nobody();
  transfer one = receiving(transfer::receives, {how_.source, how_.tag}, into, where);
  kept_letter& letter = *std::exchange(its_, nullptr);
  carry_out(one, [&](post_office& office, letter_box& mine) {
    office.receive_claimed(mine, one, letter);
  });
  return one.result;
}

void cancel(thread_id who) { post_office::here().cancel(who.name); }

processor_id where(thread_id who) { return post_office::here().last_known(who.name).at; }

}  // namespace terrane
