// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/local.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

void local_transport::unmap::operator()(unsigned char* places) const { munmap(places, bytes); }

local_transport::places local_transport::map_places(std::uint32_t processors) {
  const std::size_t bytes = place_bytes * processors;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TERRANE_CHECK(memory != MAP_FAILED);
  return {static_cast<unsigned char*>(memory), unmap{bytes}};
}

local_transport::local_transport(ring_options options)
    : local_transport(options, map_places(options.processors)) {}

local_transport::local_transport(ring_options options, places memory)
    : ring_transport(std::move(options), memory.get()), memory_(std::move(memory)) {
  make_places(memory_.get(), this->options().processors);
}

/// What nobody took before the end still owns its blocks.
local_transport::~local_transport() { drop_large_left(); }

void local_transport::post_note(node& from, node_id to, const note& what, int load) {
  nodes_[to]->note_arrived(from.number(), what, load);
}

void local_transport::post_token(node& from, node_id to, const terrane_token& token, int load) {
  nodes_[to]->token_arrived(from.number(), token, load);
}

void local_transport::deliver_large(processor& here, entry kind, processor_id from,
                                    const large_message& where) {
  handle(here, {kind, from, where.size, where.block});
  std::free(where.block);
}

void local_transport::rouse(processor_id to) { processors_[to]->notice(); }

void local_transport::gather() {
  if (pthread_barrier_wait(&all_there_) == PTHREAD_BARRIER_SERIAL_THREAD)
    start_ns_ = monotonic_ns();
  pthread_barrier_wait(&all_there_);
}

void local_transport::run(std::span<processor* const> processors) {
  processors_ = processors;
  pthread_barrier_init(&all_there_, nullptr, static_cast<unsigned>(processors.size()));
  ring_transport::run(processors);
  pthread_barrier_destroy(&all_there_);
}

}  // namespace terrane
