// SPDX-License-Identifier: Apache-2.0
// channel_desk.hpp: the ends of channels that are on one processor: send, receive, close, and what
// arrives for them.
//
// Purpose     Threads exchange items over channels, wherever the two are, and wherever they go.
// Invariants  The table says which ends are used here: for each, the half and the thread. An entry
//             whose thread has left is found to be stale by the name of the thread's block, and
//             nothing behind it is read. So a thread that leaves tells nobody.
// Cost        Both ends here: no message, no allocation. Else two or three messages an item
//             (channel_protocol.md).
// Source      [TESTBED §2.1.3, §2.2.2, Table 3]; decision 0022.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "terrane/core/object.hpp"
#include "terrane/thread/channel_events.hpp"
#include "terrane/thread/channel_half.hpp"

namespace terrane {

/// A thread asks the home for an end that nobody owns. `room` is in its heap; it waits for `told`.
struct claim_request {
  terrane_slot_ref end, block, told;
  channel_half* room;
  processor_id at;
  char thread[20];
};

class channel_desk {
 public:
  static channel_desk& here();
  channel_desk();

  /// Makes a channel of this processor, whose ends nobody owns.
  terrane_slot_ref make();
  /// Both wait until the item is over. False, or a negative size: the other end is closed. Inline,
  /// so that the CPU predicts the returns that follow the switch (thread_switch.hpp).
  [[gnu::always_inline]] static bool send(terrane_slot_ref end, const void* item,
                                          std::size_t bytes);
  [[gnu::always_inline]] static std::int64_t receive(terrane_slot_ref end, void* to,
                                                     std::size_t most);
  void close(terrane_slot_ref end, channel_way way);
  /// The calling thread owns it no longer. Nothing happens if it did not.
  void give_up(terrane_slot_ref end);
  /// The same for all ends of that thread, which runs.
  static void give_up_all(thread_block& running);

  // --- for alt ---
  /// The half of that receiving end, which the calling thread owns from now on; null: the channel
  /// is closed and empty.
  channel_half* attach(terrane_slot_ref end, alt_guard& guard);
  /// True if a receive would not wait.
  bool is_ready(const channel_half& one) { return is_ready(*find(one.channel), one); }

  /// The node of the other end, as far as it is known here.
  std::optional<node_id> partner_of(const channel_half& one);

  // --- what arrives ---
  void deliver(channel_news news);
  void bring(terrane_slot_ref channel, std::uint64_t count, bytes_view item);
  void claim(const claim_request& asked);
  void claimed(const claim_request& asked, const channel_half* half);
  void take_back(const channel_half& half, terrane_slot_ref told);
  void done(channel_news news, channel_way way, bool told);

 private:
  struct side {
    channel_half* half = nullptr;
    terrane_slot_ref user = 0;  // the block of the thread that uses it; 0: it rests at home, here
    channel_wait* waits = nullptr;
  };
  struct alignas(64) entry_of {
    terrane_slot_ref channel = 0;
    side sides[2];
  };

  entry_of* find(terrane_slot_ref channel) {
    return TERRANE_LIKELY(last_->channel == channel) ? last_ : search(channel);
  }
  entry_of* search(terrane_slot_ref channel) {
    for (std::size_t at = place_of(channel);; at = (at + 1) & mask_) {
      if (table_[at].channel == channel) return last_ = &table_[at];
      if (table_[at].channel == 0) return nullptr;
    }
  }
  std::size_t place_of(terrane_slot_ref channel) const {
    return static_cast<std::size_t>(channel * 0x9e3779b97f4a7c15u >> 32) & mask_;
  }
  entry_of& find_or_add(terrane_slot_ref channel);
  void grow();
  static bool is_live(const side& one) {
    return one.half &&
           (one.user == 0 || terrane_frame_at(terrane_here, one.user)->name == one.user);
  }
  static channel_desk& of(const thread_block& running) { return running.seat().channels(); }
  entry_of* find_own(terrane_slot_ref end, channel_way way, thread_block& me, const char* what) {
    entry_of* const found = find(channel_of(end));
    if (TERRANE_LIKELY(found && found->sides[way].user == me.name() && goes(end, way)))
      return found;
    return take_up(end, way, me, what);
  }
  entry_of* take_up(terrane_slot_ref end, channel_way way, thread_block& me, const char* what);
  entry_of* claim_here(terrane_slot_ref end, thread_block& me);
  entry_of* claim_elsewhere(terrane_slot_ref end, thread_block& me);
  template <event_id How>
  entry_of& use(channel_half& half, const thread_block& user);
  static void send_to_partner(channel_half& half, const channel_wait& wait);
  static channel_half& keep(const channel_half& from, thread_block& me);
  static void drop(channel_half& half, thread_block& me);
  void forget(channel_half& half, thread_block& me);
  void finish(channel_half& half, thread_block& me);
  void give_up(channel_half& half, thread_block& me);
  void rest(const channel_half& half);

  template <bool Recorded>
  [[gnu::always_inline]] static bool send_as(terrane_slot_ref end, const void* item,
                                             std::size_t bytes, thread_block& me);
  template <bool Recorded>
  [[gnu::always_inline]] static std::int64_t receive_as(terrane_slot_ref end, void* to,
                                                        std::size_t most, thread_block& me);
  static bool send_recorded(terrane_slot_ref end, const void* item, std::size_t bytes,
                            thread_block& me);
  static std::int64_t receive_recorded(terrane_slot_ref end, void* to, std::size_t most,
                                       thread_block& me);
  enum class begun : std::uint8_t { waits, is_over };
  begun send_far(entry_of& at, channel_wait& mine, thread_block& me);
  begun receive_far(entry_of& at, channel_wait& mine, thread_block& me);
  [[noreturn, gnu::cold]] static void too_large(const channel_half& receiver, std::size_t bytes,
                                                std::size_t most);
  static void wake(side& waiting, bool over);
  void tell(channel_news::kind what, side& mine);
  void post(const channel_news& news, processor_id to);
  void absorb(entry_of& at, const channel_news& news);
  void absorb_as_receiver(entry_of& at, const channel_news& news);
  void absorb_as_sender(entry_of& at, const channel_news& news);
  static bool is_ready(const entry_of& at, const channel_half& one) {
    const side& sender = at.sides[outwards];
    return (sender.waits && sender.half->count == one.count) || one.is_asked() || one.is_at_end();
  }
  static void settle(const entry_of& at, const channel_half& receiver);

  /// What a simulated machine takes for a thread's request. Elsewhere a branch.
  void pay(service what, std::size_t bytes) {
    if (TERRANE_UNLIKELY(prices_ != nullptr)) prices_->serve(what, bytes);
  }

  std::vector<entry_of> table_;
  entry_of* last_;        // found last
  prices* const prices_;  // null: time is measured
  std::size_t mask_, used_ = 0;
};

// --- send and receive ---

inline void channel_desk::wake(side& waiting, bool over) {
  channel_wait& wait = *waiting.waits;
  waiting.waits = nullptr;
  wait.is_over = over;
  terrane_signal(wait.slot);
}

// A run that is traced takes a copy of the code, so that the other copy has one branch more.

inline bool channel_desk::send(terrane_slot_ref end, const void* item, std::size_t bytes) {
  thread_block& me = thread_block::current("send");
  if (records_ends(me.seat().of)) return send_recorded(end, item, bytes, me);
  return send_as<false>(end, item, bytes, me);
}

inline std::int64_t channel_desk::receive(terrane_slot_ref end, void* to, std::size_t most) {
  thread_block& me = thread_block::current("receive");
  if (records_ends(me.seat().of)) return receive_recorded(end, to, most, me);
  return receive_as<false>(end, to, most, me);
}

template <bool Recorded>
inline bool channel_desk::send_as(terrane_slot_ref end, const void* item, std::size_t bytes,
                                  thread_block& me) {
  channel_desk& desk = of(me);
  entry_of* const at = desk.find_own(end, outwards, me, "sends to");
  if (TERRANE_UNLIKELY(!at)) return false;
  side &mine = at->sides[outwards], &theirs = at->sides[inwards];
  channel_half& half = *mine.half;
  me.uses(half);
  channel_wait wait{0, static_cast<char*>(const_cast<void*>(item)), bytes};
  // A receiver that waits for an earlier item waits for a message that is under way.
  if (theirs.waits && theirs.half->count == half.count) {
    if (TERRANE_UNLIKELY(bytes > theirs.waits->bytes)) too_large(half, bytes, theirs.waits->bytes);
    std::memcpy(theirs.waits->item, item, bytes);
    theirs.waits->bytes = bytes;
    if constexpr (Recorded) write_copied(half, *theirs.half, bytes);
    ++half.count;
    ++theirs.half->count;
    wake(theirs, true);
    desk.pay(service::local_copy, bytes);
    return true;
  }
  if (TERRANE_LIKELY(half.ends_at == channel_half::never && is_live(theirs))) {
    mine.waits = &wait;
    wait.slot = me.expect();
    theirs.half->partner.learn(half.here);
    theirs.half->offered = half.count + 1;
    if constexpr (Recorded) write_wait(half, *theirs.half);
    if (theirs.half->guard) settle(*at, *theirs.half);
    desk.pay(service::local_wait, bytes);
  } else if (desk.send_far(*at, wait, me) == begun::is_over) {
    return wait.is_over;
  }
  me.block(half.text);
  if (TERRANE_UNLIKELY(!wait.is_over)) desk.finish(half, me);
  me.may_go();
  return wait.is_over;
}

template <bool Recorded>
inline std::int64_t channel_desk::receive_as(terrane_slot_ref end, void* to, std::size_t most,
                                             thread_block& me) {
  channel_desk& desk = of(me);
  entry_of* const at = desk.find_own(end, inwards, me, "receives from");
  if (TERRANE_UNLIKELY(!at)) return -1;
  side &mine = at->sides[inwards], &theirs = at->sides[outwards];
  channel_half& half = *mine.half;
  me.uses(half);
  channel_wait wait{0, static_cast<char*>(to), most};
  if (theirs.waits && theirs.half->count == half.count) {
    const std::size_t bytes = theirs.waits->bytes;
    if (TERRANE_LIKELY(bytes == most))
      std::memcpy(to, theirs.waits->item, most);  // of a constant size
    else if (bytes < most)
      std::memcpy(to, theirs.waits->item, bytes);
    else
      too_large(half, bytes, most);
    if constexpr (Recorded) write_copied(*theirs.half, half, bytes);
    ++half.count;
    ++theirs.half->count;
    wake(theirs, true);
    if (half.guard) settle(*at, half);
    desk.pay(service::local_copy, bytes);
    return static_cast<std::int64_t>(bytes);
  }
  if (TERRANE_LIKELY(half.ends_at != half.count && !half.is_asked() && is_live(theirs))) {
    mine.waits = &wait;
    wait.slot = me.expect();
    theirs.half->partner.learn(half.here);
    theirs.half->offered = half.count + 1;
    if constexpr (Recorded) write_wait(half, *theirs.half);
    desk.pay(service::local_wait, most);
  } else if (desk.receive_far(*at, wait, me) == begun::is_over) {
    return -1;
  }
  me.block(half.text);
  if (TERRANE_UNLIKELY(!wait.is_over)) return desk.finish(half, me), -1;
  if (half.guard) settle(*desk.find(half.channel), half);
  me.may_go();
  return static_cast<std::int64_t>(wait.bytes);
}

}  // namespace terrane
