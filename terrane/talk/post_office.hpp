// SPDX-License-Identifier: Apache-2.0
// post_office.hpp: carries messages between threads: one office for each processor.
//
//   begin     a send goes to where its receiver was last heard of; a receive looks among what has
//             come, or is posted
//   deliver   a letter has arrived: it is matched, kept, or sent on to where its receiver is
//   hear      a thread is there now: at its home; letters that were held for it follow it
//
// Invariants  letters.md has the protocol, and why nothing is lost, doubled or overtaken.
// Cost        Two threads of one processor: two look-ups, one copy, no message. Else one message;
//             beyond the eager size two, or three where nodes share no memory.
// Source      [CHANT §2.1]; decision 0022 for threads that move.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "terrane/talk/letter_box.hpp"
#include "terrane/talk/rope_desk.hpp"
#include "terrane/talk/wait_book.hpp"
#include "terrane/thread/thread_mail.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

/// What a send or a receive costs in a simulated run: in real ones it is measured.
extern const terrane_operation thread_message;

/// The bytes of a letter are to be sent to its receiver.
struct content_request {
  terrane_global from;
  std::uint64_t bytes;
  std::uint64_t tells;  // the sender's transfer
  std::uint64_t into;   // the receiver's transfer
};
/// A thread is on that processor, or has ended if that is unknown.
struct whereabouts_note {
  terrane_slot_ref who, tells;  // tells: the thread that is told; 0: its home
  stay at;
};

class post_office final : public thread_mail {
 public:
  static post_office& here() { return static_cast<post_office&>(thread_seat::here().mail()); }
  /// That of another processor, after the run; null: it has none.
  static post_office* of(const processor& at) {
    auto* const seat = static_cast<thread_seat*>(at.threads());
    return seat ? static_cast<post_office*>(seat->mail_or_null()) : nullptr;
  }
  post_office();
  ~post_office() override;

  /// The name under which the fibers of this processor send.
  static terrane_slot_ref fibers_of(processor_id at);

  // --- what threads ask for ---

  /// The box of the running thread, or of this processor's fibers.
  letter_box& own_box();
  letter_box& own_box(thread_block& me) {
    thread_heap* const heap = me.heap_or_null();
    return TERRANE_LIKELY(heap && heap->letters) ? *heap->letters : open(me);
  }
  /// Begins it; it may be done when this returns. waits_for_receive: a send is done when it has
  /// been received.
  void begin_send(letter_box& mine, transfer& one, bool waits_for_receive);
  /// The same in two steps. If the receiver is here and has posted the receive that is to have
  /// this, it has it when the first returns; false: nothing has happened, and the second is due.
  bool hand_over(letter_box& mine, terrane_slot_ref to, const letter_key& like, bytes_view what,
                 std::uint32_t type);
  void dispatch(letter_box& mine, transfer& one, bool waits_for_receive);
  void begin_receive(letter_box& mine, transfer& one);
  /// The same for a thread that does nothing else before it is done or withdrawn.
  void begin_awaited(letter_box& mine, transfer& one);
  /// The message that this probe has found is taken out of the box. It lies in memory of this
  /// node, so the thread stays until receive_claimed().
  static kept_letter& claim(letter_box& mine, const transfer& wanted);
  void receive_claimed(letter_box& mine, transfer& one, kept_letter& found);
  /// Blocks the running thread until so many of the transfers are done that it waits for, it is
  /// cancelled, or a node is lost.
  void wait(thread_block& me, letter_box& mine, transfer_wait& until, const transfer& one);
  rope_desk& ropes() { return ropes_; }
  /// The thread with that box runs from now on, or no longer; if it is measured.
  void note_runs(letter_box& its);
  void note_stops(letter_box& its);
  /// What --waits has noted on this processor.
  const wait_book& waits() const { return waits_; }
  /// The most messages that waited for a receive of one thread at one time.
  std::uint64_t letters_kept_max() const;
  /// The round that it was entered for is over.
  void end_collective(letter_box& mine, transfer& one);
  /// That thread is to end, wherever it is.
  void cancel(terrane_slot_ref who);
  /// After a wait of a cancelled thread: the transfer is withdrawn, or is done, when this returns.
  static void give_up(transfer& one);
  /// Throws peer_lost if the transfer waits for a thread of a lost node; then it is withdrawn.
  void throw_if_lost(letter_box& mine, transfer& one);
  /// Where the thread is, as far as is known here.
  stay last_known(terrane_slot_ref who);

  // --- what arrives ---
  void deliver(letter head, const void* data);
  void fetch(const content_request& asked, processor_id from);
  void fetched(std::uint64_t into, bytes_view data);
  void received(std::uint64_t transfer_of_sender);
  void hear(const whereabouts_note& note);

  // --- thread_mail ---
  bool holds(const thread_block& one) override;
  void leaves(thread_block& one) override;
  void stays(thread_block& one) override;
  void comes(thread_block& one) override;
  void ended(thread_block& running) override;
  void look_for_lost() override;
  const char* describe_wait(const thread_block& waits) override;

 private:
  /// What this processor, as its home, knows of a thread that may move.
  struct home {
    stay last;
    std::deque<kept_letter*> held;
  };

  bool is_lost_node(node_id which) const;
  std::optional<node_id> lost_place_of(terrane_slot_ref who);
  std::optional<node_id> lost_for(const letter_box& mine, const transfer& one);
  static void wait_for_signal(thread_block& me, letter_box& mine, transfer_wait& until);
  void wait_unnoted(thread_block& me, letter_box& mine, transfer_wait& until, const transfer& one);
  void wait_noted(thread_block& me, letter_box& mine, transfer_wait& until, const transfer& one);
  wait_sum& sum_of(const thread_block& me, const letter_box& its, const transfer& one);
  /// How many bytes one thread may have on their way to another on another processor: then its
  /// messages wait for their receives, as long ones do.
  static constexpr std::uint32_t window_bytes = 64 << 10;

  letter_box* find(terrane_slot_ref who);
  letter_box* find_other(terrane_slot_ref who);
  letter_box& open(thread_block& of);
  void link(letter_box& one);
  void unlink(letter_box& one);
  void take_in_turn(letter_box& mine, const letter& head, const void* data);
  void accept(letter_box& mine, const letter& head, const void* data);
  void take_found(letter_box& mine, transfer& one, kept_letter& found);
  void take_kept(letter_box& mine, transfer& one, kept_letter& found);
  void fill(letter_box& mine, transfer& into, const letter& head, const void* data);
  void finish(letter_box& mine, transfer& one);
  void finish_alone(letter_box& mine, transfer& one);
  void tell_sender(const letter& head);
  void give_room(letter_box& mine, letter_peer& sender);
  void make_room(letter_box& mine, const letter& head);
  void take_other(letter_box& mine, const letter& head);
  void route(letter& head, const void* data, const stay& to);
  void at_home(letter& head, const void* data);

  std::unordered_map<terrane_slot_ref, letter_box*> movers_;
  std::unordered_map<terrane_slot_ref, home> homes_;
  letter_box* boxes_ = nullptr;  // of threads that never move
  std::unique_ptr<letter_box> fibers_;
  const letter_options limits_;
  bool is_plain_;  // threads wait for a signal, it is not noted, and no node is lost
  const processor_id number_;
  rope_desk ropes_{number_};
  std::vector<node_id> lost_, newly_lost_;  // newly: in this round
  member_meter meter_;
  wait_book waits_;
  std::uint64_t kept_max_ = 0;  // letter_box::kept_max() of those that are gone
  std::string described_;
};

// --- the messages between offices ---

void send_letter(processor_id to, const letter& head, const void* data);
void send_fetch(processor_id to, const content_request& asked);
void send_fetched(processor_id to, std::uint64_t into, bytes_view data);
void send_received(processor_id to, std::uint64_t transfer_of_sender);
void send_note(processor_id to, const whereabouts_note& note);

}  // namespace terrane
