// SPDX-License-Identifier: Apache-2.0
// channel_end.hpp: occam channels between threads: one sender, one receiver, no buffer.
//
//   auto [out, in] = channel_ends<record>::make();
//   par([=] { for (const record& each : all) out.send(each); out.close(); },
//       on(2, [=] { while (auto next = in.receive()) use(*next); }));
//
// Purpose     Both sides wait until the item is over. An end is a small value that travels in
//             items, tokens and threads; its thread may move at any time between two items.
// Invariants  An end belongs to the first thread that uses it, until that thread sends it, gives it
//             up, runs a par, or ends. Use by another thread meanwhile is R-285. An item that is
//             larger than its receiver takes is R-263.
// Cost        Both ends on one processor: about that of a switch. Else two or three messages an
//             item. Nothing is allocated for an item.
// Source      [TESTBED §2.1.3] (occam channels); docs/channels.md.
#pragma once

#include <optional>
#include <span>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/channel_desk.hpp"

namespace terrane {

template <class T>
class channel_out;
template <class T>
class channel_in;

/// Calls give_up for each end of a channel in that item, which is about to be sent. Specialise it
/// for your own types that hold ends.
template <class T>
struct ends_in {
  static void give_up(const T&) {}
};

/// What both ends have: a name.
class channel_end {
 public:
  /// Another thread may use the end from now on.
  void give_up() const { channel_desk::here().give_up(name_); }
  terrane_slot_ref raw() const { return name_; }

 protected:
  channel_end() = default;
  explicit channel_end(terrane_slot_ref raw) : name_(raw) {}

  terrane_slot_ref name_ = 0;
};

/// The sending end.
template <class T>
class channel_out : public channel_end {
 public:
  channel_out() = default;
  /// Returns when the item has been received. False: the receiver has closed its end.
  bool send(const T& item) const {
    require_wire_value<T>();
    ends_in<T>::give_up(item);
    return channel_desk::send(name_, &item, sizeof(T));
  }
  /// The same for any number of elements, as one item.
  bool send_all(std::span<const T> items) const {
    require_wire_value<T>();
    for (const T& each : items) ends_in<T>::give_up(each);
    return channel_desk::send(name_, items.data(), items.size_bytes());
  }
  /// The receiver gets what was sent, and then nothing. The end is not used afterwards.
  void close() const { channel_desk::here().close(name_, outwards); }
  static channel_out of(terrane_slot_ref raw) { return channel_out(raw); }

 private:
  explicit channel_out(terrane_slot_ref raw) : channel_end(raw) {}
};

/// The receiving end.
template <class T>
class channel_in : public channel_end {
 public:
  channel_in() = default;
  /// Waits for the next item. Nothing: the sender has closed its end, and all items are over.
  std::optional<T> receive() const {
    require_wire_value<T>();
    alignas(T) unsigned char room[sizeof(T)];
    if (channel_desk::receive(name_, room, sizeof room) < 0) return std::nullopt;
    return *reinterpret_cast<const T*>(room);
  }
  /// The same into `to`; returns how many elements the item had.
  std::optional<std::size_t> receive_all(std::span<T> to) const {
    require_wire_value<T>();
    const std::int64_t bytes = channel_desk::receive(name_, to.data(), to.size_bytes());
    if (bytes < 0) return std::nullopt;
    return static_cast<std::size_t>(bytes) / sizeof(T);
  }
  /// What the sender sends from now on is not sent: its send returns false.
  void close() const { channel_desk::here().close(name_, inwards); }
  static channel_in of(terrane_slot_ref raw) { return channel_in(raw); }

 private:
  explicit channel_in(terrane_slot_ref raw) : channel_end(raw) {}
};

template <class T>
inline constexpr bool position_independent<channel_out<T>> = true;
template <class T>
inline constexpr bool position_independent<channel_in<T>> = true;
template <class T>
struct ends_in<channel_out<T>> {
  static void give_up(const channel_out<T>& end) { end.give_up(); }
};
template <class T>
struct ends_in<channel_in<T>> {
  static void give_up(const channel_in<T>& end) { end.give_up(); }
};

/// Both ends of a new channel.
template <class T>
struct channel_ends {
  channel_out<T> out;
  channel_in<T> in;

  /// The channel's home is this processor, as long as it lives.
  static channel_ends make() { return of(channel_desk::here().make()); }
  /// Of a channel that channel_desk::make() made.
  static channel_ends of(terrane_slot_ref channel) {
    return {channel_out<T>::of(name_of_end(channel, outwards)),
            channel_in<T>::of(name_of_end(channel, inwards))};
  }
};
template <class T>
inline constexpr bool position_independent<channel_ends<T>> = true;
template <class T>
struct ends_in<channel_ends<T>> {
  static void give_up(const channel_ends<T>& both) {
    both.out.give_up();
    both.in.give_up();
  }
};

}  // namespace terrane
