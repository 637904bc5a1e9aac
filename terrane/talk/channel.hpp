// SPDX-License-Identifier: Apache-2.0
// channel.hpp: a queue of items between processors with a buffer of fixed capacity; capacity 0 is a
// rendezvous.
//
//   auto way = channel<int>::make(4);                // travels in tokens
//   way.send(42, ref(sent));                         // anywhere: signalled when there is room
//   way.receive(mine, ref(there));                   // anywhere: the next item
//
// Invariants  Items come out in the order in which they reached the channel, those of one sender in
//             the order of sending. Each goes to one receiver, the one that asked first. The items
//             of senders that wait for room lie at the channel too.
// Source      docs/objects.md.
#pragma once

#include "terrane/c/objects.h"
#include "terrane/cpp/global.hpp"

namespace terrane {

template <wire_value T>
struct channel {
  terrane_channel raw{};

  /// On this processor. capacity 0: a send is over when its item is received.
  static channel make(int capacity) {
    channel made;
    terrane_channel_new(&made.raw, capacity, 0);
    return made;
  }
  /// CH_SEND_SYNC: copied now; `sent` is signalled when there was room for it.
  void send(const T& item, slot_ref sent) const {
    terrane_channel_send(raw, &item, sizeof(T), sent.raw);
  }
  /// CH_RECV_SYNC: the next item goes to `to`, on this processor.
  void receive(T& to, slot_ref done) const {
    terrane_channel_receive(raw, terrane_to_global(&to), sizeof(T), 0, done.raw);
  }
  /// R-265 if somebody waits to send or to receive.
  void free() const { terrane_channel_free(raw); }
};
template <class T>
inline constexpr bool position_independent<channel<T>> = true;

/// Two channels, one each way between the ends a and b.
template <wire_value T>
struct bichannel {
  channel<T> a2b, b2a;

  static bichannel make(int capacity) {
    return {channel<T>::make(capacity), channel<T>::make(capacity)};
  }
  void free() const {
    a2b.free();
    b2a.free();
  }
};
template <class T>
inline constexpr bool position_independent<bichannel<T>> = true;

}  // namespace terrane
