// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/letter_box.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/talk/message_buffer.hpp"

namespace terrane {

const char* transfer::verb() const {
  static constexpr const char* verbs[] = {"send", "recv", "probe", "a collective"};
  return verbs[what];
}

namespace {

bool takes(const transfer& wanted, const letter_key& like) {
  return (wanted.takes_any_source() || wanted.peer == like.from) &&
         (wanted.tag == transfer::every_tag || wanted.tag == like.tag) &&
         wanted.context == like.context;
}
bool takes(const transfer& wanted, const letter& head) { return takes(wanted, head.key()); }

std::pmr::memory_resource* memory_for(thread_heap* heap) {
  return heap ? heap : std::pmr::new_delete_resource();
}

std::size_t room_of(const letter& head) {
  return sizeof(kept_letter) +
         (head.brings_bytes() ? (static_cast<std::size_t>(head.bytes) + 15) / 16 * 16 : 0);
}

}  // namespace

letter_box::letter_box(terrane_slot_ref its, thread_heap* lies_in)
    : owner(its),
      heap(lies_in),
      ropes(memory_for(lies_in)),
      peers_(4, memory_for(lies_in)),
      buckets_(8, memory_for(lies_in)) {}

// --- peers: open addressing, never more than half full ---

std::size_t letter_box::place_of(terrane_slot_ref name) const {
  return static_cast<std::size_t>(name * 0x9e3779b97f4a7c15u >> 32) & (peers_.size() - 1);
}

letter_peer* letter_box::known_peer(terrane_slot_ref name) {
  for (std::size_t at = place_of(name); peers_[at].name != 0; at = (at + 1) & (peers_.size() - 1))
    if (peers_[at].name == name) return &peers_[at];
  return nullptr;
}

letter_peer& letter_box::find_peer(terrane_slot_ref name) {
  letter_peer* found = known_peer(name);
  if (!found) {
    if (2 * (used_peers_ + 1) > peers_.size()) grow_peers();
    std::size_t at = place_of(name);
    while (peers_[at].name != 0) at = (at + 1) & (peers_.size() - 1);
    found = &peers_[at];
    found->name = name;
    ++used_peers_;
  }
  last_peer_ = static_cast<std::size_t>(found - peers_.data());
  return *found;
}

void letter_box::grow_peers() {
  std::pmr::vector<letter_peer> old(2 * peers_.size(), peers_.get_allocator());
  old.swap(peers_);
  for (const letter_peer& each : old) {
    if (each.name == 0) continue;
    std::size_t at = place_of(each.name);
    while (peers_[at].name != 0) at = (at + 1) & (peers_.size() - 1);
    peers_[at] = each;
  }
}

transfer& letter_box::make_transfer(const transfer& like) {
  void* room = free_;
  if (free_)
    free_ = free_->next;
  else
    room = memory_for(heap)->allocate(sizeof(transfer), alignof(transfer));
  return *::new (room) transfer(like);
}

// --- receives ---

void letter_box::post(transfer& receive) {
  receive.order = ++posts_;
  if (receive.what == transfer::probes) return probes_.add(receive);
  if (receive.is_wild()) return wild_.add(receive);
  if (++in_buckets_ > 2 * buckets_.size()) grow_buckets();
  bucket_of(receive.peer, receive.context, receive.tag).posted.add(receive);
}

/// What stands in buckets is not counted when it leaves: the count is of the additions since the
/// last growth, and growth looks how many there are.
void letter_box::grow_buckets() {
  std::size_t there = 0;
  for_each_posted([&](const transfer&) { ++there; });
  for (const kept_letter* each = first_; each; each = each->next) ++there;
  in_buckets_ = there + 1;
  if (in_buckets_ <= buckets_.size()) return;
  std::pmr::vector<bucket> old(2 * buckets_.size(), buckets_.get_allocator());
  old.swap(buckets_);
  for (const bucket& each : old)
    for (transfer* one = each.posted.first; one;) {
      transfer* const following = one->next;
      bucket_of(one->peer, one->context, one->tag).posted.add(*one);
      one = following;
    }
  for (kept_letter* each = first_; each; each = each->next) {
    bucket& its = bucket_of(each->head.from, each->head.context, each->head.tag);
    each->next_alike = nullptr;
    each->before_alike = its.last;
    (its.last ? its.last->next_alike : its.first) = each;
    its.last = each;
  }
}

/// found: the first in a bucket that takes it, or null.
transfer* letter_box::earlier_wild(const letter_key& like, transfer* found) const {
  for (transfer* each = wild_.first; each && (!found || each->order < found->order);
       each = each->next)
    if (takes(*each, like)) return each;
  return found ? found : find_awaited(like);
}

transfer* letter_box::take_probe(const letter& head) {
  for (transfer* each = probes_.first; each; each = each->next)
    if (takes(*each, head)) {
      transfer_list::remove(*each);
      return each;
    }
  return nullptr;
}

// --- messages ---

kept_letter* letter_box::copied(const letter& head, const void* data) {
  void* const room = std::malloc(room_of(head));
  if (!room)
    fail(run_time_error::out_of_memory, "no memory for a message of %llu bytes from %s to %s",
         static_cast<unsigned long long>(head.bytes), printed_name(head.from).c_str(),
         printed_name(head.to).c_str());
  auto* const made = ::new (room) kept_letter{head};
  if (head.brings_bytes()) std::memcpy(made->bytes(), data, head.bytes);
  return made;
}

void letter_box::free_letter(kept_letter* one) { std::free(one); }

kept_letter& letter_box::keep(const letter& head, const void* data) {
  kept_letter& made = *copied(head, data);
  add_kept(made);
  return made;
}

void letter_box::add_kept(kept_letter& one) {
  one.next = nullptr;
  one.before = last_;
  (last_ ? last_->next : first_) = &one;
  last_ = &one;
  if (++in_buckets_ > 2 * buckets_.size()) {
    one.next_alike = one.before_alike = nullptr;
    const std::size_t as_many = buckets_.size();
    grow_buckets();
    if (buckets_.size() != as_many) return count(one);  // it has a bucket already
  }
  bucket& its = bucket_of(one.head.from, one.head.context, one.head.tag);
  one.next_alike = nullptr;
  one.before_alike = its.last;
  (its.last ? its.last->next_alike : its.first) = &one;
  its.last = &one;
  count(one);
}

kept_letter* letter_box::find_kept(const transfer& wanted) const {
  if (!first_) return nullptr;
  if (wanted.is_wild()) {
    for (kept_letter* each = first_; each; each = each->next)
      if (takes(wanted, each->head)) return each;
    return nullptr;
  }
  for (kept_letter* each = buckets_[index_of(wanted.peer, wanted.context, wanted.tag)].first; each;
       each = each->next_alike)
    if (takes(wanted, each->head)) return each;
  return nullptr;
}

void letter_box::take_out(kept_letter& one) {
  (one.before ? one.before->next : first_) = one.next;
  (one.next ? one.next->before : last_) = one.before;
  bucket& its = bucket_of(one.head.from, one.head.context, one.head.tag);
  (one.before_alike ? one.before_alike->next_alike : its.first) = one.next_alike;
  (one.next_alike ? one.next_alike->before_alike : its.last) = one.before_alike;
  --kept_;
  kept_bytes_ -= one.head.weight();
}

void letter_box::keep_early(const letter& head, const void* data) {
  kept_letter* const made = copied(head, data);
  made->next = early_;
  early_ = made;
}

kept_letter* letter_box::take_early(terrane_slot_ref from, std::uint32_t number) {
  for (kept_letter** each = &early_; *each; each = &(*each)->next)
    if ((*each)->head.from == from && (*each)->head.number == number) {
      kept_letter* const found = *each;
      *each = found->next;
      return found;
    }
  return nullptr;
}

// --- moves ---

void letter_box::pack() {
  packed_bytes_ = 0;
  for (const kept_letter* each = first_; each; each = each->next)
    packed_bytes_ += room_of(each->head);
  for (const kept_letter* each = early_; each; each = each->next)
    packed_bytes_ += room_of(each->head);
  if (packed_bytes_ > packed_room_) {
    packed_room_ = 2 * packed_bytes_;
    packed_ = heap->allocate(packed_room_, 16);
  }
  char* to = static_cast<char*>(packed_);
  // A letter that came early has no place among the others: it is marked by an address.
  const auto put = [&](kept_letter* one, bool early) {
    one->next_alike = early ? one : nullptr;
    std::memcpy(to, static_cast<const void*>(one), room_of(one->head));
    to += room_of(one->head);
  };
  for (kept_letter* each = first_; each; each = each->next) put(each, false);
  for (kept_letter* each = early_; each; each = each->next) put(each, true);
  drop_kept(free_letter);
}

void letter_box::unpack() {
  const char* const end = static_cast<const char*>(packed_) + packed_bytes_;
  for (const char* at = static_cast<const char*>(packed_); at != end;) {
    const auto& one = *reinterpret_cast<const kept_letter*>(at);
    at += room_of(one.head);
    if (one.next_alike)
      keep_early(one.head, &one + 1);
    else
      keep(one.head, &one + 1);
  }
  packed_bytes_ = 0;
}

/// A thread's transfers end with its heap.
letter_box::~letter_box() {
  while (transfer* const spare = heap ? nullptr : free_) {
    free_ = spare->next;
    memory_for(nullptr)->deallocate(spare, sizeof(transfer), alignof(transfer));
  }
}

void letter_box::free_unreceived(kept_letter* one) {
  const letter& head = one->head;
  if (head.gives != 0)
    message_buffer::adopt(terrane_address_in(head.data), static_cast<std::size_t>(head.bytes));
  free_letter(one);
}

void letter_box::clear() { drop_kept(free_unreceived); }

void letter_box::drop_kept(void (*free_one)(kept_letter*)) {
  for (kept_letter* each : {first_, early_})
    while (each) free_one(std::exchange(each, each->next));
  first_ = last_ = early_ = nullptr;
  for (bucket& each : buckets_) each.first = each.last = nullptr;
  kept_bytes_ = kept_ = 0;
}

}  // namespace terrane
