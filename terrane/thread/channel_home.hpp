// SPDX-License-Identifier: Apache-2.0
// channel_home.hpp: the record of a channel at the processor that made it.
//
// Invariants  It says of each end whether a thread owns it. If none does, the end's half lies here.
//             If one does, the half is with that thread, or on its way between it and here, and
//             news that does not find it is held here (whereabouts.hpp). The record lives until
//             both ends are done: closed, or told that the other was closed.
#pragma once

#include "terrane/core/object.hpp"
#include "terrane/thread/channel_half.hpp"

namespace terrane {

class channel_home final : public object {
 public:
  static constexpr char called[] = "channel of ends";
  channel_home() : ends{end(name(), outwards), end(name(), inwards)} {}
  static channel_home* find(terrane_slot_ref channel) {
    return static_cast<channel_home*>(find_object(kind_of<channel_home>::known(), channel));
  }
  void operate(const operation_request&) override {}  // asked by way of channel_desk

  struct end {
    end(terrane_slot_ref channel, channel_way way) : half(channel, way) {}
    channel_half half;  // while nobody owns it
    bool is_owned = false;
    bool is_done = false;
    char owner[32] = "";  // the thread that owns it
    home_record<channel_news> known;
  } ends[2];
};

}  // namespace terrane
