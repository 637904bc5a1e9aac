// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/channel_desk.hpp"

#include <cstdio>
#include <cstring>

#include "terrane/thread/alt.hpp"
#include "terrane/thread/channel_home.hpp"
#include "terrane/thread/channel_messages.hpp"
#include "terrane/thread/thread_id.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

channel_half::channel_half(terrane_slot_ref of, channel_way which) : channel(of), way(which) {
  std::snprintf(text, sizeof text, "%s channel %s",
                which == outwards ? "the receiver of" : "an item of", printed_name(of).c_str());
}

channel_desk& channel_desk::here() { return thread_seat::here().channels(); }

channel_desk::channel_desk()
    : table_(16), last_(table_.data()), prices_(terrane::here().world().prices), mask_(15) {}

terrane_slot_ref channel_desk::make() {
  auto& made = make_object<channel_home>();
  entry_of& at = find_or_add(made.name());
  at.sides[outwards] = {&made.ends[outwards].half, 0, nullptr};
  at.sides[inwards] = {&made.ends[inwards].half, 0, nullptr};
  for (const auto& each : made.ends) record_of_end<event_id::end_made>(each.half);
  return made.name();
}

// --- send and receive, where the inline code does not go on ---

void channel_desk::too_large(const channel_half& receiver, std::size_t bytes, std::size_t most) {
  fail(run_time_error::item_too_large,
       "an item of %zu bytes was sent over channel %s to a thread that takes %zu bytes at most",
       bytes, printed_name(receiver.channel).c_str(), most);
}

bool channel_desk::send_recorded(terrane_slot_ref end, const void* item, std::size_t bytes,
                                 thread_block& me) {
  return send_as<true>(end, item, bytes, me);
}
std::int64_t channel_desk::receive_recorded(terrane_slot_ref end, void* to, std::size_t most,
                                            thread_block& me) {
  return receive_as<true>(end, to, most, me);
}

/// The item goes to who waits for it.
void channel_desk::send_to_partner(channel_half& half, const channel_wait& wait) {
  record_of_end<event_id::item_sent>(half, wait.bytes, half.partner.move);
  send_item(half.partner.at, {half.channel, half.count++}, {wait.item, wait.bytes});
}

/// Begins a send whose partner is not here, or has closed.
channel_desk::begun channel_desk::send_far(entry_of& at, channel_wait& wait, thread_block& me) {
  side& mine = at.sides[outwards];
  channel_half& half = *mine.half;
  if (half.is_at_end()) return finish(half, me), begun::is_over;
  pay(service::send, wait.bytes);
  if (half.is_asked()) {
    send_to_partner(half, wait);
    wait.is_over = true;
    return begun::is_over;
  }
  mine.waits = &wait;
  wait.slot = me.expect();
  tell(channel_news::focus, mine);
  return begun::waits;
}

channel_desk::begun channel_desk::receive_far(entry_of& at, channel_wait& wait, thread_block& me) {
  side& mine = at.sides[inwards];
  channel_half& half = *mine.half;
  if (half.is_at_end()) return finish(half, me), begun::is_over;
  pay(service::receive, wait.bytes);
  bool asks = half.is_asked() || !prices_ || !prices_->senders_ask();
  if (!asks && !half.announced) {
    tell(channel_news::advert, mine);
    // If the home is here, it has delivered what it held for this stay before tell() returned.
    if (half.is_at_end()) return finish(half, me), begun::is_over;
    asks = half.is_asked();
  }
  mine.waits = &wait;
  wait.slot = me.expect();
  if (asks) tell(channel_news::rtr, mine);
  return begun::waits;
}

void channel_desk::close(terrane_slot_ref end, channel_way way) {
  thread_block& me = thread_block::current("close");
  entry_of* const at = find_own(end, way, me, "closes");
  if (!at) return;
  channel_half& half = *at->sides[way].half;
  side& theirs = at->sides[other(way)];
  const bool told = is_live(theirs);
  const channel_news news = news_of(half, channel_news::closed);
  record_of_end<event_id::end_closed>(half);
  if (told) absorb(*at, news);
  forget(half, me);
  send_done(news, way, told);
}

/// The other end was closed, and this one has nothing more to do.
void channel_desk::finish(channel_half& half, thread_block& me) {
  record_of_end<event_id::end_over>(half);
  const channel_news news = news_of(half, channel_news::closed);
  const channel_way way = half.way;
  forget(half, me);
  send_done(news, way, true);
}

void channel_desk::done(channel_news news, channel_way way, bool told) {
  channel_home* const home = channel_home::find(news.channel);
  TERRANE_CHECK(home && !home->ends[way].is_done);
  home->ends[way].is_done = true;
  if (home->ends[other(way)].is_done) {
    if (entry_of* const at = find(news.channel)) at->sides[0] = at->sides[1] = {};
    return free_object(*home);
  }
  if (told) return;
  // The closer knew this stay, and did not try it.
  home->ends[other(way)].known.learn(news.aimed);
  news.aimed = {};
  deliver(news);
}

// --- news ---

/// Tells the other end, where it was last heard of, or by way of the home.
void channel_desk::tell(channel_news::kind what, side& mine) {
  channel_half& half = *mine.half;
  half.announced = true;
  const processor_id to = half.partner.known() ? half.partner.at : processor_of(half.channel);
  if (mine.waits) mine.waits->told = half.partner;
  record_of_end<event_id::end_tells>(half, called(what), half.partner.move);
  post(news_of(half, what), to);
}

void channel_desk::post(const channel_news& news, processor_id to) {
  if (to == terrane_here->number)
    deliver(news);
  else
    send_news(to, news);
}

void channel_desk::deliver(channel_news news) {
  entry_of* const at = find(news.channel);
  if (at && is_live(at->sides[news.to])) return absorb(*at, news);
  const processor_id home_at = processor_of(news.channel);
  if (home_at != terrane_here->number) return send_news(home_at, news);
  channel_home* const home = channel_home::find(news.channel);
  if (!home) return;  // out of date: both ends are done
  home_record<channel_news>& sender = home->ends[other(news.to)].known;
  home_record<channel_news>& target = home->ends[news.to].known;
  const bool finds_another = sender.learn(news.from) && !home->ends[other(news.to)].is_done;
  // Taken first: news that is posted to this processor is delivered before post() returns, and may
  // pass here itself.
  channel_news held = finds_another ? sender.take() : channel_news{};
  if (!home->ends[news.to].is_done && target.send_on(news)) post(news, news.aimed.at);
  if (finds_another && sender.send_on(held)) post(held, held.aimed.at);
}

void channel_desk::absorb(entry_of& at, const channel_news& news) {
  side& mine = at.sides[news.to];
  channel_half& half = *mine.half;
  half.partner.learn(news.from);
  if (records_ends(terrane::here()))
    write_of_end<event_id::end_hears>(half, news.count, called(news.what), news.from.move);
  if (news.what == channel_news::closed) {
    half.ends_at = news.count;
    if (mine.waits && half.is_at_end()) wake(mine, false);
    if (half.guard) settle(at, half);
  } else if (news.to == inwards) {
    absorb_as_receiver(at, news);
  } else {
    absorb_as_sender(at, news);
  }
}

/// News of an item that is over is out of date; so is news of one before that of which is known
/// already. But each says where the other end is now: who waits, and has not told that stay, does.
static bool is_current(const channel_half& half, const channel_news& news) {
  return news.count >= half.count && news.count + 1 >= half.offered;
}

void channel_desk::absorb_as_receiver(entry_of& at, const channel_news& news) {
  side& mine = at.sides[inwards];
  channel_half& half = *mine.half;
  if (is_current(half, news)) half.offered = news.count + 1;
  if (mine.waits && mine.waits->told.move != half.partner.move)
    tell(channel_news::rtr, mine);
  else if (half.guard)
    settle(at, half);
}

/// The item goes once: afterwards it is over.
void channel_desk::absorb_as_sender(entry_of& at, const channel_news& news) {
  side& mine = at.sides[outwards];
  channel_half& half = *mine.half;
  if (news.what == channel_news::rtr && is_current(half, news)) half.offered = news.count + 1;
  if (!mine.waits) return;
  if (half.is_asked()) {
    send_to_partner(half, *mine.waits);
    wake(mine, true);
  } else if (mine.waits->told.move != half.partner.move) {
    tell(channel_news::focus, mine);
  }
}

void channel_desk::bring(terrane_slot_ref channel, std::uint64_t count, bytes_view item) {
  entry_of* const at = find(channel);
  TERRANE_CHECK(at && is_live(at->sides[inwards]));
  side& mine = at->sides[inwards];
  TERRANE_CHECK(mine.waits && mine.half->count == count);
  if (item.size > mine.waits->bytes) too_large(*mine.half, item.size, mine.waits->bytes);
  std::memcpy(mine.waits->item, item.data, item.size);
  mine.waits->bytes = item.size;
  record_of_end<event_id::item_came>(*mine.half, item.size);
  ++mine.half->count;
  wake(mine, true);
}

std::optional<node_id> channel_desk::partner_of(const channel_half& one) {
  const entry_of* const at = find(one.channel);
  if (at && is_live(at->sides[other(one.way)])) return terrane_node_of(terrane_here->number);
  if (!one.partner.known()) return {};
  return terrane_node_of(one.partner.at);
}

// --- for alt ---

channel_half* channel_desk::attach(terrane_slot_ref end, alt_guard& guard) {
  thread_block& me = thread_block::current("alt");
  entry_of* const at = find_own(end, inwards, me, "receives from");
  if (!at) return nullptr;
  side& mine = at->sides[inwards];
  channel_half& half = *mine.half;
  half.guard = &guard;
  const side& theirs = at->sides[outwards];
  if (is_live(theirs)) {
    theirs.half->partner.learn(half.here);
    if (records_ends(terrane::here()))
      write_of_end<event_id::end_meets>(*theirs.half, half.count, called(channel_news::advert),
                                        half.here.move);
  } else if (!half.announced) {
    tell(channel_news::advert, mine);
  }
  return &half;
}

void channel_desk::settle(const entry_of& at, const channel_half& receiver) {
  receiver.guard->set_ready(is_ready(at, receiver));
}

// --- the table ---

channel_desk::entry_of& channel_desk::find_or_add(terrane_slot_ref channel) {
  if (entry_of* const known = find(channel)) return *known;
  if (2 * ++used_ > table_.size()) grow();
  std::size_t at = place_of(channel);
  while (table_[at].channel != 0) at = (at + 1) & mask_;
  table_[at].channel = channel;
  return table_[at];
}

/// Entries of which both ends have left are dropped.
void channel_desk::grow() {
  std::vector<entry_of> live;
  for (const entry_of& each : table_)
    if (is_live(each.sides[0]) || is_live(each.sides[1])) live.push_back(each);
  std::size_t size = 16;
  while (size < 4 * (live.size() + 1)) size *= 2;
  table_.assign(size, {});
  last_ = table_.data();
  mask_ = size - 1;
  used_ = live.size() + 1;
  for (const entry_of& each : live) {
    std::size_t at = place_of(each.channel);
    while (table_[at].channel != 0) at = (at + 1) & mask_;
    table_[at] = each;
  }
}

}  // namespace terrane
