// SPDX-License-Identifier: Apache-2.0
// mpi_arrivals.cpp: what the wires through an MPI bring, and how it reaches the processors' rings.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/transport/mpi/mpi_network.hpp"

namespace terrane {

namespace {

constexpr int arrivals_at_once = 16;

packed_head head_of(const large_head& large) {
  return packed_head(reinterpret_cast<const unsigned char*>(&large.packed));
}

}  // namespace

void mpi_network::post(node_id from, link& its, std::uint32_t which) {
  expect(mpi_.receive(communicator_, its.buffers[which].get(), batch::bytes_max,
                      static_cast<int>(from), batch_tag, &its.receives[which]),
         from);
}

bool mpi_network::receive() {
  bool came = false;
  for (int i = 0; i < arrivals_at_once; ++i) {
    int from = -1;
    std::size_t bytes = 0;
    expect(mpi_.test_any(awaited_.data(), static_cast<int>(shape_.nodes), &from, &bytes),
           shape_.me);
    if (from < 0) break;
    link& its = links_[from];
    if (its.block) {
      its.arrived += bytes;
    } else {
      batch_head head;
      std::memcpy(&head, its.buffers[its.next].get(), sizeof head);
      its.at = sizeof head;
      its.end = bytes;
      its.credits += head.credits;
      its.heard_last = head.last != 0;
      its.returns_announced = head.returns;
      if (head.credits != 0 && !closing_) push(static_cast<node_id>(from), its);
    }
    came |= hand_on(static_cast<node_id>(from));
  }
  return came;
}

bool mpi_network::deliver(std::uint16_t to, const unsigned char* record, std::size_t bytes) {
  return closing_ || user_.deliver(to, record, bytes);
}

/// Hands the rest of the batch that is there to its processors. True if it handed on any.
bool mpi_network::hand_on(node_id from) {
  link& its = links_[from];
  const unsigned char* const data = its.buffers[its.next].get();
  bool any = false;
  while (its.at < its.end) {
    batch_frame frame;
    std::memcpy(&frame, data + its.at, sizeof frame);
    if (frame.large != 0) {
      if (!hand_on_large(from, its, frame)) return any;
    } else if (!deliver(frame.to, data + its.at + sizeof frame, frame.size)) {
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
bool mpi_network::hand_on_large(node_id from, link& its, const batch_frame& frame) {
  large_head large;
  std::memcpy(&large, its.buffers[its.next].get() + its.at + sizeof frame, sizeof large);
  if (!its.block) {
    its.block = static_cast<unsigned char*>(std::malloc(large.size));
    if (!its.block)
      fail(run_time_error::out_of_memory, "no memory for a message of %llu bytes",
           static_cast<unsigned long long>(large.size));
    its.arrived = 0;
  }
  if (its.arrived < large.size) {
    expect(mpi_.receive(communicator_, its.block + its.arrived,
                        std::min(piece_bytes_max, large.size - its.arrived), static_cast<int>(from),
                        large_tag, &awaited_[from]),
           from);
    return false;
  }
  const packed_head said = head_of(large);
  const large_message where{its.block, large.size};
  unsigned char record[packed_bytes(sizeof where)];
  pack(record, {said.kind(), true, said.from(), sizeof where, said.said_at()},
       {&where, sizeof where}, {});
  if (closing_) {
    std::free(its.block);
  } else if (!deliver(frame.to, record, sizeof record)) {
    stall(its, true);
    return false;
  }
  its.block = nullptr;  // the receiver frees it (rings::block_read)
  return true;
}

void mpi_network::finish_batch(node_id from, link& its) {
  its.at = its.end = 0;
  post(from, its, its.next);
  its.next = (its.next + 1) % window_;
  awaited_[from] = std::exchange(its.receives[its.next], mpi_.null_request);
  ++its.owed;
  return_credits(from, its);
}

void mpi_network::stall(link& its, bool so) {
  if (its.stalled == so) return;
  its.stalled = so;
  stalled_.fetch_add(so ? 1 : ~std::uint32_t{0}, memory_order_seq_cst);
}

bool mpi_network::retry_stalled() {
  bool came = false;
  for (node_id n = 0; n < shape_.nodes; ++n) {
    if (!links_[n].stalled) continue;
    stall(links_[n], false);  // hand_on() says so again if there is no room yet
    came |= hand_on(n);
  }
  return came;
}

}  // namespace terrane
