// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/message_buffer.hpp"

#include <cstdlib>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"

namespace terrane {

namespace {

constexpr std::size_t alignment = 64;

neighbours* others_here() { return here().world().neighbours; }

}  // namespace

message_buffer::message_buffer(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  neighbours* const others = others_here();
  block_ = others ? others->take_block(here(), bytes) : nullptr;
  if (!block_) block_ = std::aligned_alloc(alignment, (bytes + alignment - 1) & -alignment);
  if (!block_)
    fail(run_time_error::out_of_memory, "no memory for a message_buffer of %zu bytes", bytes);
}

bool message_buffer::is_everywhere() const {
  const neighbours* const others = others_here();
  return others && others->is_seen_by_all(block_);
}

void message_buffer::free_block(void* block) {
  neighbours* const others = terrane_is_processor() ? others_here() : nullptr;
  if (!others || !others->give_back_block(block)) std::free(block);
}

}  // namespace terrane
