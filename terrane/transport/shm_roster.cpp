// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/shm_roster.hpp"

#include <unistd.h>

#include <string>

namespace terrane {

life_signs shm_roster::signs_of(node_id n) const {
  const job_node& node = job_.node(n);
  return {node.phase.load(memory_order_relaxed), node.beats.load(memory_order_relaxed),
          node.tokens.load(memory_order_relaxed), node.busy.load(memory_order_relaxed)};
}

void shm_roster::lose(node_id n) {
  // release: a process that sees a flag also sees all that the ended process wrote.
  job_.head().lost[n].store(true, memory_order_release);
  job_.head().any_lost.store(true, memory_order_release);
}

void shm_roster_line::show(std::uint64_t tokens, int busy) {
  mine_.tokens.store(tokens, memory_order_relaxed);
  mine_.busy.store(busy, memory_order_relaxed);
}

bool shm_roster_line::hand_in(const std::string& share) {
  for (std::size_t at = 0; at < share.size();) {
    const ssize_t written = write(share_, share.data() + at, share.size() - at);
    if (written <= 0) return false;  // the launcher is gone
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace terrane
