// SPDX-License-Identifier: Apache-2.0
// event_text.hpp: an event of this process as a sentence.
#pragma once

#include <cstdint>
#include <string>

#include "terrane/core/event.hpp"

namespace terrane {

inline event_id id_of(std::uint64_t first_word) { return static_cast<event_id>(first_word & 0xff); }
/// The number of words of the record that begins with that one; 0: there is no such event.
inline std::uint32_t words_of(std::uint64_t first_word) {
  const auto number = first_word & 0xff;
  if (number >= event_count) return 0;
  return event_table[number].field_count > 1 ? event_table[number].field_count : 1;
}

/// A field's value, from the words of a record.
inline std::uint64_t field_of(const std::uint64_t* words, std::uint32_t field) {
  return field == 0 ? words[0] >> 8 : words[field];
}

/// The name that an address stands for, if it lies in the program. Otherwise a text that says so.
std::string name_at(field_kind kind, std::uint64_t address);

/// The sentence of the event with its values. words: a record of event_ring.
std::string sentence_of(const std::uint64_t* words);

/// The names of messages (core/message.hpp), by number.
inline constexpr const char* message_names[] = {
    "signal", "put",     "get",   "fetch", "scatter", "gather", "atomic_add", "allocate", "release",
    "invoke", "operate", "carry", "call",  "probe",   "stop",   "note",       "token"};

}  // namespace terrane
