// SPDX-License-Identifier: Apache-2.0
// states_of_moves.hpp: the states of a thread that moves, as a table that real events are checked
// against (decoded_moves.hpp). The numbers behind rows are arcs of Figure 7 of the paper.
//
// Source      [TESTBED §3.2.2, Figure 7]; decision 0010.
#pragma once

#include <cstdint>
#include <iterator>

namespace terrane::decoded {

inline constexpr std::uint64_t any_node = 0xffffffffu;

struct move_event {
  bool leaves;  // else it arrived
  std::uint64_t departure;
  std::uint64_t node;   // where the event was written
  std::uint64_t other;  // where it goes, or comes from
};

enum class whereabouts : std::uint8_t {
  is_new,  // a token, or sent to where it begins
  is_there,
  leaves,  // for a node
  queued   // for any node that takes it
};

/// What is known of a thread between two events.
struct wanderer {
  whereabouts at = whereabouts::is_new;
  std::uint64_t node;  // where it is, or was last
  std::uint64_t to = any_node;
  std::uint64_t departure = 0;
};

using move_condition = bool (*)(const wanderer&, const move_event&);
inline bool from_its_node(const wanderer& one, const move_event& seen) {
  return seen.node == one.node && seen.departure == one.departure + 1 && seen.other != any_node &&
         seen.other != seen.node;
}
/// For another processor of its node, where no arrival is written.
inline bool within_its_node(const wanderer& one, const move_event& seen) {
  return seen.node == one.node && seen.departure == one.departure + 1 && seen.other == seen.node;
}
inline bool for_any_node(const wanderer& one, const move_event& seen) {
  return seen.node == one.node && seen.departure == one.departure + 1 && seen.other == any_node;
}
inline bool anywhere(const wanderer& one, const move_event& seen) {
  return seen.departure == one.departure;
}
inline bool where_it_goes(const wanderer& one, const move_event& seen) {
  return seen.departure == one.departure && seen.node == one.to && seen.other == one.node;
}
/// That node refused it.
inline bool where_it_was(const wanderer& one, const move_event& seen) {
  return seen.departure == one.departure && seen.node == one.node && seen.other == one.to;
}

struct move_row {
  whereabouts from;
  bool leaves;
  move_condition when;
  whereabouts to;
};

// clang-format off
inline constexpr move_row move_table[] = {
  {whereabouts::is_new,   false, anywhere,      whereabouts::is_there},
  {whereabouts::is_new,   true,  from_its_node, whereabouts::leaves},
  {whereabouts::is_new,   true,  for_any_node,  whereabouts::queued},
  {whereabouts::is_there, true,  from_its_node, whereabouts::leaves},    // 1-2-3
  {whereabouts::is_there, true,  within_its_node, whereabouts::is_there},
  {whereabouts::leaves,   false, where_it_goes, whereabouts::is_there},  // 3-4-1
  {whereabouts::leaves,   false, where_it_was,  whereabouts::is_there},
  {whereabouts::is_there, true,  for_any_node,  whereabouts::queued},
  {whereabouts::queued,   false, anywhere,      whereabouts::is_there},
  {whereabouts::queued,   true,  from_its_node, whereabouts::leaves},    // nobody else took it
  {whereabouts::queued,   true,  for_any_node,  whereabouts::queued},
};
// clang-format on

/// False: the table does not accept it.
inline bool take(wanderer& one, const move_event& seen) {
  for (const move_row& each : move_table) {
    if (each.from != one.at || each.leaves != seen.leaves || !each.when(one, seen)) continue;
    one.at = each.to;
    one.departure = seen.departure;
    if (seen.leaves)
      one.to = seen.other;
    else
      one.node = seen.node;
    return true;
  }
  return false;
}

}  // namespace terrane::decoded
