// SPDX-License-Identifier: Apache-2.0
// carried_arrivals.cpp: what a carrier brings, and how it reaches the processors' rings.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/transport/carried/carried_network.hpp"

namespace terrane {

namespace {

constexpr int arrivals_at_once = 16;
constexpr std::size_t little_bytes = 512;

}  // namespace

void carried_network::post(node_id from, link& its, std::uint32_t which) {
  expect(carrier_.receive(among_, its.buffers[which].get(), batch::bytes_max,
                          static_cast<int>(from), batch_tag, &its.receives[which]),
         from);
}

bool carried_network::receive() {
  bool came = false;
  for (int i = 0; i < arrivals_at_once; ++i) {
    int from = -1;
    std::size_t bytes = 0;
    const int wrong =
        carrier_.test_any(awaited_.data(), static_cast<int>(shape_.nodes), &from, &bytes);
    expect(wrong, from < 0 ? shape_.me : static_cast<node_id>(from));
    if (from < 0) break;
    if (wrong != 0) continue;
    link& its = links_[from];
    if (its.body) {
      its.arrived += bytes;
    } else {
      begin_batch(static_cast<node_id>(from), its, bytes);
    }
    came |= hand_on(static_cast<node_id>(from));
    if (bytes < little_bytes) break;  // its answer is more urgent than a further look
  }
  return came;
}

void carried_network::begin_batch(node_id from, link& its, std::size_t bytes) {
  batch_head head;
  if (bytes < sizeof head) return fail(from);
  std::memcpy(&head, its.buffers[its.next].get(), sizeof head);
  its.at = sizeof head;
  its.end = bytes;
  its.credits += head.credits;
  if (head.last != 0) {
    its.heard_last = true;
    its.returns_announced = head.returns;
    end_sending(its);
  }
  if (head.credits != 0 && !closing_) push(from, its);
}

void carried_network::fail(node_id from) {
  user_.broken(from, "brought messages that no runtime sends");
}

bool carried_network::deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) {
  return closing_ || user_.deliver(to, record, bytes);
}

/// True if a node may have sent such a frame: nothing of it is used before.
bool carried_network::is_sound(node_id from, const batch_frame& frame, const unsigned char* data,
                               std::size_t bytes) const {
  if (frame.size > bytes || !shape_.is_here(frame.to)) return false;
  if (frame.large == 0) return shape_.are_of(from, data, frame.size);
  large_head large;
  if (frame.size < sizeof large) return false;
  std::memcpy(&large, data, sizeof large);
  return large.size > frame.size - sizeof large && shape_.is_of(from, packed_head(large.packed));
}

/// Hands the rest of the batch that is there to its processors. True if it handed on any.
bool carried_network::hand_on(node_id from) {
  link& its = links_[from];
  bool any = false;
  while (its.at < its.end) {
    const unsigned char* const data = its.buffers[its.next].get() + its.at + sizeof(batch_frame);
    batch_frame frame;
    if (its.end - its.at < sizeof frame) return fail(from), any;
    std::memcpy(&frame, data - sizeof frame, sizeof frame);
    if (!is_sound(from, frame, data, its.end - its.at - sizeof frame)) return fail(from), any;
    if (frame.large != 0) {
      if (!hand_on_large(from, its, frame, data)) return any;
    } else if (!deliver(frame.to, data, frame.size)) {
      stall(its, true);
      return any;
    }
    its.at += sizeof frame + frame.size;
    any = true;
  }
  finish_batch(from, its);
  return any;
}

/// False: its bytes are still to come, or there is no room for it.
bool carried_network::hand_on_large(node_id from, link& its, const batch_frame& frame,
                                    const unsigned char* data) {
  large_head large;
  std::memcpy(&large, data, sizeof large);
  const bytes_view first{data + sizeof large, frame.size - sizeof large};
  if (!its.body && !choose_place(its, frame, large, first)) {
    stall(its, true);
    return false;
  }
  if (its.arrived < its.body_bytes) {
    expect(carrier_.receive(among_, its.body + its.arrived,
                            std::min(piece_bytes_max, its.body_bytes - its.arrived),
                            static_cast<int>(from), large_tag, &awaited_[from]),
           from);
    return false;
  }
  const packed_head about(large.packed);
  if (closing_) {
    std::free(its.block);
  } else if (its.block) {
    if (!user_.deliver_large(frame.to, about, {its.block, large.size}))
      return stall(its, true), false;
  } else {
    put_request landed;
    std::memcpy(&landed, first.data, sizeof landed);
    if (!user_.deliver_landed(frame.to, about, landed)) return stall(its, true), false;
  }
  its.body = its.block = nullptr;  // the receiver frees the block
  moves(-1);
  return true;
}

/// Where the bytes that a frame announces go. False: not known yet.
bool carried_network::choose_place(link& its, const batch_frame& frame, const large_head& large,
                                   bytes_view first) {
  its.arrived = 0;
  its.body_bytes = large.size - first.size;
  const landing at =
      closing_ ? landing{} : user_.land(frame.to, packed_head(large.packed), first, its.body_bytes);
  if (at.where == landing::where::later) return false;
  moves(1);
  if (at.where == landing::where::place) {
    its.body = static_cast<unsigned char*>(at.place);
    return true;
  }
  its.block = static_cast<unsigned char*>(std::malloc(large.size));
  if (!its.block)
    terrane::fail(run_time_error::out_of_memory, "no memory for a message of %llu bytes",
                  static_cast<unsigned long long>(large.size));
  if (first.size != 0) std::memcpy(its.block, first.data, first.size);
  its.body = its.block + first.size;
  return true;
}

void carried_network::finish_batch(node_id from, link& its) {
  its.at = its.end = 0;
  its.next = (its.next + 1) % window_;
  awaited_[from] = std::exchange(its.receives[its.next], carrier_.null_request);
  ++its.taken;
  ++to_post_;
  if (its.taken >= window_ / 2) post_taken(from, its);
}

void carried_network::post_taken() {
  for (node_id n = 0; n < shape_.nodes && to_post_ != 0; ++n)
    if (links_[n].taken != 0) post_taken(n, links_[n]);
}

void carried_network::post_taken(node_id from, link& its) {
  for (; its.taken != 0; --its.taken, --to_post_, ++its.owed)
    post(from, its, (its.next + window_ - its.taken) % window_);
  return_credits(from, its);
}

void carried_network::stall(link& its, bool so) {
  if (its.stalled == so) return;
  its.stalled = so;
  stalled_.fetch_add(so ? 1 : ~std::uint32_t{0}, memory_order_seq_cst);
}

bool carried_network::retry_stalled() {
  bool came = false;
  for (node_id n = 0; n < shape_.nodes; ++n) {
    if (!links_[n].stalled) continue;
    stall(links_[n], false);  // hand_on() says so again if there is no room yet
    came |= hand_on(n);
  }
  return came;
}

}  // namespace terrane
