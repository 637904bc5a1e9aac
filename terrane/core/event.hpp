// SPDX-License-Identifier: Apache-2.0
// event.hpp: the events of a run as types and tables, made from events.def.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "terrane/terrane.h"

namespace terrane {

/// How the value of a field is to be read. Values of the first field have 56 bits.
enum class field_kind : std::uint8_t {
  number,     // at least 0
  integer,    // 64 bits with a sign
  node,       // a node's number
  processor,  // a processor's number
  message,    // terrane::entry
  frame,      // 64 bits: the name of an activation (terrane_slot_ref)
  function,   // address of a terrane_function
  fiber,      // address of a terrane_fiber
  text        // address of a string literal
};

struct event_field {
  field_kind kind;
  const char* name;
  const char* unit = "";
};

/// The classes, as positions of their bits in a mask.
enum class event_class : std::uint8_t {
#define TERRANE_EVENT_CLASS(name, about) name,
#define TERRANE_EVENT(...)
#include "terrane/core/events.def"
#undef TERRANE_EVENT
#undef TERRANE_EVENT_CLASS
};

/// Number 0 is a stamp: the time of the events that follow it.
enum class event_id : std::uint8_t {
  stamp,
#define TERRANE_EVENT_CLASS(name, about)
#define TERRANE_EVENT(name, ...) name,
#include "terrane/core/events.def"
#undef TERRANE_EVENT
#undef TERRANE_EVENT_CLASS
};

namespace detail {
using kind = field_kind;
#define TERRANE_EVENT_CLASS(name, about)
#define TERRANE_EVENT(name, its_class, sentence, ...) \
  inline constexpr std::initializer_list<event_field> fields_of_##name = {__VA_ARGS__};
#include "terrane/core/events.def"
#undef TERRANE_EVENT
#undef TERRANE_EVENT_CLASS
}  // namespace detail

struct event_class_description {
  const char* name;
  const char* about;
};
inline constexpr event_class_description event_classes[] = {
#define TERRANE_EVENT_CLASS(name, about) {#name, about},
#define TERRANE_EVENT(...)
#include "terrane/core/events.def"
#undef TERRANE_EVENT
#undef TERRANE_EVENT_CLASS
};

struct event_description {
  const char* name;
  event_class of;
  const char* sentence;
  const event_field* fields;
  std::uint32_t field_count;
};
/// By number.
inline constexpr event_description event_table[] = {
    {"stamp", event_class{}, "", nullptr, 0},
#define TERRANE_EVENT_CLASS(name, about)
#define TERRANE_EVENT(name, its_class, sentence, ...)                         \
  {#name, event_class::its_class, sentence, detail::fields_of_##name.begin(), \
   static_cast<std::uint32_t>(detail::fields_of_##name.size())},
#include "terrane/core/events.def"
#undef TERRANE_EVENT
#undef TERRANE_EVENT_CLASS
};

inline constexpr std::uint32_t event_class_count = std::size(event_classes);
inline constexpr std::uint32_t event_count = std::size(event_table);
inline constexpr std::uint32_t event_fields_max = 5;

constexpr const event_description& about(event_id id) {
  return event_table[static_cast<std::uint32_t>(id)];
}

/// A set of classes, as a mask.
using event_mask = std::uint32_t;
constexpr event_mask bit_of(event_class of) { return event_mask{1} << static_cast<unsigned>(of); }
/// Those of which one is enough.
template <class... Of>
constexpr event_mask bits_of(Of... of) {
  return (bit_of(of) | ...);
}
inline constexpr event_mask all_events = (event_mask{1} << event_class_count) - 1;
/// The classes of a trace unless others are chosen. Those for a replay cost more, and serve nothing
/// else.
inline constexpr event_mask usual_events = all_events & ~bit_of(event_class::graph);
/// The classes whose events are few: the flight recorder keeps them in every run. Of messages it
/// keeps those between nodes.
inline constexpr event_mask rare_events =
    bit_of(event_class::balance) | bit_of(event_class::move) | bit_of(event_class::message);

static_assert(bit_of(event_class::user) == TERRANE_EVENTS_USER);
static_assert(event_count <= 256 && event_class_count <= 32);
static_assert([] {
  for (const event_description& each : event_table) {
    if (each.field_count > event_fields_max) return false;
    if (each.field_count != 0 &&
        (each.fields[0].kind == field_kind::frame || each.fields[0].kind == field_kind::integer))
      return false;
  }
  return true;
}());

}  // namespace terrane
