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
    if (its.block) {
      its.arrived += bytes;
    } else {
      begin_batch(static_cast<node_id>(from), its, bytes);
    }
    came |= hand_on(static_cast<node_id>(from));
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
  if (frame.size != sizeof large) return false;
  std::memcpy(&large, data, sizeof large);
  return shape_.is_of(from, packed_head(large.packed));
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
      if (!hand_on_large(from, its, frame.to, data)) return any;
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
bool carried_network::hand_on_large(node_id from, link& its, std::uint16_t to,
                                    const unsigned char* head) {
  large_head large;
  std::memcpy(&large, head, sizeof large);
  if (!its.block) {
    its.block = static_cast<unsigned char*>(std::malloc(large.size));
    if (!its.block)
      terrane::fail(run_time_error::out_of_memory, "no memory for a message of %llu bytes",
                    static_cast<unsigned long long>(large.size));
    its.arrived = 0;
  }
  if (its.arrived < large.size) {
    expect(carrier_.receive(among_, its.block + its.arrived,
                            std::min(piece_bytes_max, large.size - its.arrived),
                            static_cast<int>(from), large_tag, &awaited_[from]),
           from);
    return false;
  }
  if (closing_) {
    std::free(its.block);
  } else if (!user_.deliver_large(to, packed_head(large.packed), {its.block, large.size})) {
    stall(its, true);
    return false;
  }
  its.block = nullptr;  // the receiver frees it
  return true;
}

void carried_network::finish_batch(node_id from, link& its) {
  its.at = its.end = 0;
  post(from, its, its.next);
  its.next = (its.next + 1) % window_;
  awaited_[from] = std::exchange(its.receives[its.next], carrier_.null_request);
  ++its.owed;
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
