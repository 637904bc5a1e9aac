// SPDX-License-Identifier: Apache-2.0
// letter_box.hpp: what a thread has sent and received: its peers, its receives that wait for a
// message, and the messages that wait for a receive.
//
// Purpose     Matching: a message goes to the receive that was posted first among those that accept
//             it; a receive takes the message that came first among those that it accepts.
// Layout      The box lies in its thread's heap and moves with it. Receives and messages with equal
//             source, tag and context share a bucket; receives for any source or tag stand in a
//             list of their own, and messages also in the order in which they came. Kept messages
//             are the processor's memory: they are packed into the heap when the thread moves.
// Invariants  Only the processor where the thread is touches it.
// Cost        A message or a receive without wildcards: one bucket, however many wait.
// Source      [CHANT §2.1]; letters.md.
#pragma once

#include <memory_resource>
#include <vector>

#include "terrane/talk/letter.hpp"
#include "terrane/talk/member_meter.hpp"
#include "terrane/talk/transfer.hpp"
#include "terrane/thread/thread_heap.hpp"

namespace terrane {

/// Another thread, as seen by this one.
struct letter_peer {
  terrane_slot_ref name = 0;  // 0: nobody
  stay at;                    // the newest that was heard of
  std::uint32_t sent = 0, taken = 0;
  std::uint32_t on_its_way = 0;  // bytes that were sent to it, and that it may not have received
  std::uint32_t received = 0;    // bytes for which it does not know yet that there is room again
  std::uint64_t said = 0;        // bytes that were sent to it since balance() was last called
};

struct rope_station;

/// That a thread is a member of a rope.
struct rope_membership {
  terrane_slot_ref rope;
  std::uint32_t rank;
  std::uint32_t round;    // of collectives: the next one
  rope_station* station;  // on the processor where the thread is
};

class letter_box {
 public:
  /// heap null: of the fibers of a processor, which only send.
  letter_box(terrane_slot_ref owner, thread_heap* heap);
  ~letter_box();
  letter_box(const letter_box&) = delete;
  letter_box& operator=(const letter_box&) = delete;

  const terrane_slot_ref owner;
  thread_heap* const heap;
  stay here;
  const transfer* waits_on = nullptr;    // for reports
  transfer_wait* waits_until = nullptr;  // while its thread waits
  std::uint32_t calls = 0;               // of other nodes, that its thread has made
  std::uint32_t left_alone = 0;          // transfers that signal a slot, and that nobody waits for
  terrane_slot_ref ends = 0;             // signalled when the last of these is done
  std::size_t losses_heard = 0;          // by receives for any source
  bool hears_of_loss = false;            // so what it waits for is to be looked at
  bool withholds_room = false;           // senders wait for room that they would have otherwise
  letter_box *next = nullptr, *before = nullptr;  // of this processor

  member_load load;
  std::pmr::vector<rope_membership> ropes;
  terrane_slot_ref made_for = 0;  // the rope that its thread was made for

  letter_peer& peer(terrane_slot_ref name) {
    letter_peer& last = peers_[last_peer_];
    return TERRANE_LIKELY(last.name == name) ? last : find_peer(name);
  }
  /// The peer of that name; null: there is none.
  letter_peer* known_peer(terrane_slot_ref name);
  template <class Each>
  void for_each_peer(Each&& each) {
    for (letter_peer& one : peers_)
      if (one.name != 0) each(one);
  }

  // --- transfers that outlive a call ---
  transfer& make_transfer(const transfer& like);
  void free_transfer(transfer& one) {
    one.next = free_;
    free_ = &one;
  }

  // --- receives that wait ---
  void post(transfer& receive);
  /// The same for the only one, without wildcards, that its thread waits for: no other is posted
  /// before it is done or withdrawn, so it is the last in order, and needs no bucket.
  void post_last(transfer& receive) {
    if (TERRANE_UNLIKELY(receive.what == transfer::probes || receive.is_wild()))
      return post(receive);
    receive.order = ++posts_;
    awaited_.add(receive);
  }
  static void withdraw(transfer& receive) { transfer_list::remove(receive); }
  /// The receive that takes a message like that; null: none does yet.
  transfer* find_posted(const letter_key& like) const {
    transfer* found = buckets_[index_of(like.from, like.context, like.tag)].posted.first;
    while (found && !found->is_for(like)) found = found->next;
    if (TERRANE_UNLIKELY(wild_.first != nullptr)) return earlier_wild(like, found);
    return found ? found : find_awaited(like);
  }
  /// The same; it leaves its list.
  transfer* take_posted(const letter& head) {
    transfer* const found = find_posted(head.key());
    if (found) transfer_list::remove(*found);
    return found;
  }
  /// Probes that find that message leave their list.
  transfer* take_probe(const letter& head);
  template <class Each>
  void for_each_posted(Each&& each) const {
    for (const bucket& one : buckets_)
      for (transfer* next_one = one.posted.first; next_one; next_one = next_one->next)
        each(*next_one);
    for (const transfer_list* others : {&wild_, &awaited_})
      for (transfer* next_one = others->first; next_one; next_one = next_one->next) each(*next_one);
  }

  // --- messages that wait ---
  kept_letter& keep(const letter& head, const void* data);
  /// The message that this receive or probe takes; null: none has come.
  kept_letter* find_kept(const transfer& wanted) const;
  /// Takes it out of the box; free_letter() is due.
  void take_out(kept_letter& one);
  kept_letter* first_kept() const { return first_; }
  std::uint64_t kept_bytes() const { return kept_bytes_; }
  /// The most messages that waited for a receive at one time.
  std::uint64_t kept_max() const { return kept_max_; }
  /// A message that came before its turn.
  void keep_early(const letter& head, const void* data);
  bool has_early() const { return early_ != nullptr; }
  /// The next one of that sender, if it has come; free_letter() is due.
  kept_letter* take_early(terrane_slot_ref from, std::uint32_t number);
  static kept_letter* copied(const letter& head, const void* data);
  static void free_letter(kept_letter* one);

  // --- moves ---
  /// The kept messages go into the heap, or come out of it.
  void pack();
  void unpack();
  /// Frees what is kept, and the memory that it gives.
  void clear();
  static void free_unreceived(kept_letter* one);

 private:
  void drop_kept(void (*free_one)(kept_letter*));
  struct bucket {
    transfer_list posted;
    kept_letter *first = nullptr, *last = nullptr;
  };
  bucket& bucket_of(terrane_slot_ref from, std::uint64_t context, std::uint32_t tag) {
    return buckets_[index_of(from, context, tag)];
  }
  std::size_t index_of(terrane_slot_ref from, std::uint64_t context, std::uint32_t tag) const {
    const std::uint64_t mixed =
        (from ^ (context * 0x9e3779b97f4a7c15u) ^ tag) * 0xff51afd7ed558ccdu;
    return static_cast<std::size_t>(mixed >> 32) & (buckets_.size() - 1);
  }
  transfer* find_awaited(const letter_key& like) const {
    transfer* const last = awaited_.first;
    return last && last->is_for(like) ? last : nullptr;
  }
  transfer* earlier_wild(const letter_key& like, transfer* found) const;
  letter_peer& find_peer(terrane_slot_ref name);
  std::size_t place_of(terrane_slot_ref name) const;
  void grow_peers();
  void grow_buckets();
  void add_kept(kept_letter& one);
  void count(const kept_letter& one) {
    if (++kept_ > kept_max_) kept_max_ = kept_;
    kept_bytes_ += one.head.weight();
  }

  std::pmr::vector<letter_peer> peers_;
  std::size_t last_peer_ = 0, used_peers_ = 0;
  std::pmr::vector<bucket> buckets_;
  std::size_t in_buckets_ = 0;
  transfer_list wild_, probes_, awaited_;
  transfer* free_ = nullptr;
  std::uint64_t posts_ = 0;
  kept_letter *first_ = nullptr, *last_ = nullptr, *early_ = nullptr;
  std::uint64_t kept_bytes_ = 0, kept_ = 0, kept_max_ = 0;
  void* packed_ = nullptr;  // a piece of the heap, used again at the next move
  std::size_t packed_room_ = 0, packed_bytes_ = 0;
};

}  // namespace terrane
