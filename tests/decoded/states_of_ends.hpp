// SPDX-License-Identifier: Apache-2.0
// states_of_ends.hpp: the states of one end of a channel, as a table that real events are checked
// against (decoded_ends.hpp).
//
// Purpose     Ties the code to the protocol: what an end did in a run is what the protocol allows.
//             The numbers behind rows are arcs of Figures 5 and 6 of the paper. models/ends.pml has
//             the same variables: count, offered, told, partner (there partner_move), ends_at, and
//             move for stay; `waits` there is the state waits here.
// Invariants  An event of which the table has no row that fits is refused. Rows exclude one
//             another. What an end hears is noted first; then the row is looked up.
// Source      [TESTBED §3.2.2, Figures 5 and 6, Tables 3 and 4]; thread/channel_protocol.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace terrane::decoded {

/// The events of an end, as events.def has them.
enum class did : std::uint8_t {
  made,
  taken,
  came,
  left,
  rests,
  waits,
  meets,
  tells,
  hears,
  copied,
  sent,
  arrived,
  closed,
  over
};
inline constexpr std::array event_names{
    "end_made",  "end_taken", "end_came",    "end_left",  "end_rests", "end_waits",  "end_meets",
    "end_tells", "end_hears", "item_copied", "item_sent", "item_came", "end_closed", "end_over"};

/// What news says.
enum class news : std::uint8_t { none, advert, focus, rtr, closed };

enum class side : std::uint8_t { sender = 1, receiver = 2, both = 3 };

enum class state : std::uint8_t {
  rests,      // at home: nobody owns it
  idle,       // its thread does something else
  waits,      // its thread waits for the item that is next
  must_tell,  // it waits, and has heard of a stay of its partner that it has not told
  must_send,  // it waits, and its partner waits for the item
  must_end,   // it waited, and its partner has closed
  leaves,     // on its way home
  over        // nothing follows
};
inline constexpr std::array state_names{"rests",     "idle",     "waits",  "must tell",
                                        "must send", "must end", "leaves", "over"};

/// What is known of an end between two events.
struct half {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  side way;
  state at = state::rests;
  std::uint64_t stay = 0;     // how many places it has been used in
  std::uint64_t count = 0;    // items that are over
  std::uint64_t partner = 0;  // the newest stay of the other end that it has heard of
  std::uint64_t offered = 0;  // the other end waits for item offered - 1
  std::uint64_t told = 0;     // the stay that was told of this wait
  std::uint64_t ends_at = never;

  bool is_asked() const { return offered == count + 1; }
  bool is_at_end() const { return way == side::sender ? ends_at != never : ends_at == count; }
};

/// One event of an end.
struct event {
  did what;
  news says = news::none;
  std::uint64_t stay = 0, item = 0, partner = 0;
};

// --- when a row fits ---

using condition = bool (*)(const half&);
inline bool always(const half&) { return true; }
inline bool is_asked(const half& one) { return one.is_asked(); }
inline bool is_at_end(const half& one) { return one.is_at_end(); }
inline bool is_open(const half& one) { return !one.is_at_end(); }
inline bool must_ask(const half& one) { return !one.is_asked() && !one.is_at_end(); }
inline bool is_asked_now(const half& one) { return one.is_asked() && !one.is_at_end(); }
inline bool is_known(const half& one) { return !one.is_asked() && one.told == one.partner; }
inline bool is_unknown(const half& one) { return !one.is_asked() && one.told != one.partner; }
inline bool has_told(const half& one) { return one.told == one.partner; }
inline bool has_not_told(const half& one) { return one.told != one.partner; }

struct row {
  side of;
  state from;
  did what;
  news says;
  condition when;
  state to;
};

// clang-format off
inline constexpr auto table = [] {
  using enum side;
  using enum state;
  return std::to_array<row>({
    // --- who owns it ---
    {both,     rests,     did::taken,   news::none,   always,       idle},
    {both,     idle,      did::came,    news::none,   always,       idle},
    {both,     idle,      did::left,    news::none,   always,       leaves},
    {both,     leaves,    did::rests,   news::none,   always,       rests},
    // --- both ends on one processor: Figure 5 ---
    {both,     idle,      did::waits,   news::none,   must_ask,     waits},  // 1-2-3
    {both,     waits,     did::copied,  news::none,   always,       idle},   // 3-4-1, who waited
    {both,     idle,      did::copied,  news::none,   always,       idle},   // 3-4-1, who came
    {sender,   rests,     did::meets,   news::rtr,    always,       rests},
    {sender,   idle,      did::meets,   news::rtr,    always,       idle},
    {sender,   rests,     did::meets,   news::advert, always,       rests},
    {sender,   idle,      did::meets,   news::advert, always,       idle},
    {sender,   waits,     did::meets,   news::advert, always,       waits},
    {receiver, rests,     did::meets,   news::focus,  always,       rests},
    {receiver, idle,      did::meets,   news::focus,  always,       idle},
    {receiver, waits,     did::meets,   news::focus,  always,       waits},  // its msg is under way
    // --- between processors: Figure 6, the sender ---
    {sender,   idle,      did::tells,   news::focus,  must_ask,     waits},  // 1-2-3
    {sender,   idle,      did::sent,    news::none,   is_asked_now, idle},   // the rtr came before
    {sender,   waits,     did::hears,   news::rtr,    is_asked,     must_send}, // 3-4
    {sender,   must_send, did::sent,    news::none,   is_asked,     idle},   // 4-1
    {sender,   waits,     did::hears,   news::rtr,    is_known,     waits},
    {sender,   waits,     did::hears,   news::rtr,    is_unknown,   must_tell},
    {sender,   waits,     did::hears,   news::advert, is_known,     waits},
    {sender,   waits,     did::hears,   news::advert, is_unknown,   must_tell},
    {sender,   must_tell, did::tells,   news::focus,  always,       waits},
    {sender,   rests,     did::hears,   news::rtr,    always,       rests},
    {sender,   idle,      did::hears,   news::rtr,    always,       idle},
    {sender,   rests,     did::hears,   news::advert, always,       rests},
    {sender,   idle,      did::hears,   news::advert, always,       idle},
    // --- between processors: Figure 6, the receiver ---
    {receiver, idle,      did::tells,   news::advert, always,       idle},   // a choice
    {receiver, idle,      did::tells,   news::rtr,    is_open,      waits},  // 5-6-7, 12-13-9
    {receiver, idle,      did::hears,   news::focus,  always,       idle},   // 5-11-12
    {receiver, rests,     did::hears,   news::focus,  always,       rests},
    {receiver, waits,     did::hears,   news::focus,  has_told,     waits},
    {receiver, waits,     did::hears,   news::focus,  has_not_told, must_tell}, // 7-8
    {receiver, must_tell, did::tells,   news::rtr,    always,       waits},  // 8-9
    {receiver, waits,     did::arrived, news::none,   always,       idle},   // 9-10-5
    // --- the end ---
    {both,     idle,      did::closed,  news::none,   always,       over},
    {both,     rests,     did::hears,   news::closed, always,       rests},
    {both,     idle,      did::hears,   news::closed, always,       idle},
    {both,     waits,     did::hears,   news::closed, is_open,      waits},
    {both,     waits,     did::hears,   news::closed, is_at_end,    must_end},
    {sender,   must_end,  did::hears,   news::rtr,    always,       must_end}, // out of date
    {sender,   must_end,  did::hears,   news::advert, always,       must_end},
    {receiver, must_end,  did::hears,   news::focus,  always,       must_end},
    {both,     must_end,  did::over,    news::none,   is_at_end,    over},
    {both,     idle,      did::over,    news::none,   is_at_end,    over},
  });
}();
// clang-format on
inline constexpr std::size_t rows = table.size();

/// What an end learns from its partner, elsewhere or here.
inline void note(half& one, const event& seen) {
  one.partner = std::max(one.partner, seen.partner);
  if (seen.says == news::closed) one.ends_at = seen.item;
  if (seen.says != news::focus && seen.says != news::rtr) return;
  const bool is_current = seen.item >= one.count && seen.item + 1 >= one.offered;
  if (is_current || seen.what == did::meets) one.offered = seen.item + 1;
}

/// The numbers that an event must have, whatever the state.
inline bool has_right_numbers(const half& one, const event& seen) {
  const bool is_new_stay = seen.what == did::taken || seen.what == did::came;
  if (seen.stay != one.stay + (is_new_stay ? 1 : 0)) return false;
  if (seen.what == did::hears || seen.what == did::meets) return true;
  if ((seen.what == did::tells || seen.what == did::sent) && seen.partner != one.partner)
    return false;
  return seen.item == one.count;
}

/// The end takes the event. Returns the row; `rows`: the table does not accept it.
inline std::size_t take(half& one, const event& seen) {
  if (!has_right_numbers(one, seen)) return rows;
  if (seen.what == did::hears || seen.what == did::meets) note(one, seen);
  for (std::size_t i = 0; i < rows; ++i) {
    const row& each = table[i];
    const bool is_its = (static_cast<int>(each.of) & static_cast<int>(one.way)) != 0;
    if (!is_its || each.from != one.at || each.what != seen.what || each.says != seen.says ||
        !each.when(one))
      continue;
    one.at = each.to;
    one.stay = seen.stay;
    if (seen.what == did::waits) one.told = 0;
    if (seen.what == did::tells) one.told = one.partner;
    if (seen.what == did::copied || seen.what == did::sent || seen.what == did::arrived)
      ++one.count;
    return i;
  }
  return rows;
}

}  // namespace terrane::decoded
