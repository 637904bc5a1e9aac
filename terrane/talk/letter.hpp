// SPDX-License-Identifier: Apache-2.0
// letter.hpp: a message from one thread to another, as it travels and as it is kept.
//
// Invariants  Letters from one thread to another are numbered, so that their receiver takes them in
//             order, whichever way each of them went (letters.md).
// Source      [CHANT §2.1] (point-to-point communication).
#pragma once

#include <cstdint>

#include "terrane/core/place.hpp"
#include "terrane/talk/transfer.hpp"
#include "terrane/thread/thread_id.hpp"
#include "terrane/thread/whereabouts.hpp"

namespace terrane {

enum class letter_kind : std::uint16_t {
  plain,    // its bytes follow, or lie with the sender
  counted,  // the same, and its receiver gives the room back that its bytes take
  cancel,   // the receiver is to end
  room      // the receiver of letters has room for so many more bytes of that sender
};

struct letter {
  terrane_slot_ref to, from;
  std::uint64_t context;  // 0: plain messages; else the rope's name
  std::uint64_t bytes;
  std::uint64_t tells;  // the sender's transfer, which is told that the letter is received; 0: none
  terrane_global data;  // where the bytes lie; 0: they follow
  std::uint32_t number;
  std::uint32_t tag;
  stay sent_from;
  std::uint32_t aimed;  // the stay of its receiver that it was sent to
  std::uint32_t type;   // of its elements; 0: bytes
  letter_kind kind;
  std::uint16_t gives =
      0;  // 1: what lies at data is the receiver's from now on (message_buffer.hpp)
  std::uint16_t unused[2] = {};

  letter_key key() const { return {from, context, tag}; }
  bool is_message() const { return kind < letter_kind::cancel; }
  bool brings_bytes() const { return is_message() && data == 0 && bytes != 0; }
  /// What it costs its receiver until it is received; of long ones the sender has the bytes.
  std::uint64_t weight() const;
};
static_assert(sizeof(letter) == 80);

/// A letter that waits for a receive, with its bytes behind it.
struct kept_letter {
  letter head;
  kept_letter *next = nullptr, *before = nullptr;              // in order of arrival
  kept_letter *next_alike = nullptr, *before_alike = nullptr;  // in the same bucket

  unsigned char* bytes() { return reinterpret_cast<unsigned char*>(this + 1); }
};

inline std::uint64_t letter::weight() const {
  if (data != 0 && gives == 0) return 0;
  return sizeof(kept_letter) + (gives != 0 ? 0 : bytes);
}

}  // namespace terrane
