// SPDX-License-Identifier: Apache-2.0
// post_room.cpp: how much senders may have under way to a receiver on another processor.
#include <utility>

#include "terrane/talk/hand_over.hpp"

namespace terrane {

/// The letter has been received: its sender may send as much again, some time.
void post_office::make_room(letter_box& mine, const letter& head) {
  if (head.kind == letter_kind::counted) {
    letter_peer& sender = mine.peer(head.from);
    sender.received += static_cast<std::uint32_t>(head.weight());
    if (sender.received >= window_bytes / 2 && mine.kept_bytes() <= limits_.kept_bytes_max)
      give_room(mine, sender);
  }
  if (mine.withholds_room && mine.kept_bytes() <= limits_.kept_bytes_max / 2) {
    mine.withholds_room = false;
    mine.for_each_peer([&](letter_peer& each) {
      if (each.received >= window_bytes / 2) give_room(mine, each);
    });
  } else if (mine.kept_bytes() > limits_.kept_bytes_max) {
    mine.withholds_room = true;
  }
}

void post_office::give_room(letter_box& mine, letter_peer& sender) {
  letter head{sender.name, mine.owner, 0, std::exchange(sender.received, 0),
              0,           0,          0, 0,
              mine.here,   0,          0, letter_kind::room};
  const stay at = sender.at;
  if (letter_box* const theirs = find(head.to))
    theirs->peer(head.from).on_its_way -= static_cast<std::uint32_t>(head.bytes);
  else
    route(head, nullptr, at);
}

}  // namespace terrane
