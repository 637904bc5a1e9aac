// SPDX-License-Identifier: Apache-2.0
// channel_events.hpp: writes what happens to the ends of channels into the trace (class channel).
//
// Cost        While the class is off, a compare and a branch.
// Source      [TESTBED §3.2.2, Figures 5 and 6]; tests/decoded/states_of_ends.hpp decodes them.
#pragma once

#include "terrane/core/processor.hpp"
#include "terrane/thread/channel_half.hpp"

namespace terrane {

/// True if events of channels are wanted on that processor.
[[gnu::always_inline]] inline bool records_ends(const processor& on) {
  return TERRANE_UNLIKELY(on.records(event_class::channel));
}

/// What news is called.
inline const char* called(channel_news::kind what) {
  constexpr const char* names[] = {"advert", "focus", "rtr", "closed"};
  return names[what];
}

/// Writes an event of that end, about that item.
template <event_id Id, class... More>
[[gnu::noinline, gnu::cold]] void write_of_end(const channel_half& end, std::uint64_t item,
                                               More... more) {
  event_writer& writer = here().writer();
  writer.look();
  writer.put<Id>(end.here.move, name_of_end(end.channel, end.way), item, more...);
}

/// The same, if it is wanted, about the item that is next.
template <event_id Id, class... More>
void record_of_end(const channel_half& end, More... more) {
  if (records_ends(here())) write_of_end<Id>(end, end.count, more...);
}

/// That item is copied from one end to the other, before it is counted.
[[gnu::noinline, gnu::cold]] inline void write_copied(const channel_half& from,
                                                      const channel_half& to, std::size_t bytes) {
  write_of_end<event_id::item_copied>(from, from.count, bytes);
  write_of_end<event_id::item_copied>(to, to.count, bytes);
}

/// That end waits, and its partner, which is here, knows it.
[[gnu::noinline, gnu::cold]] inline void write_wait(const channel_half& waits,
                                                    const channel_half& partner) {
  const auto what = waits.way == outwards ? channel_news::focus : channel_news::rtr;
  write_of_end<event_id::end_waits>(waits, waits.count, partner.here.move);
  write_of_end<event_id::end_meets>(partner, waits.count, called(what), waits.here.move);
}

}  // namespace terrane
