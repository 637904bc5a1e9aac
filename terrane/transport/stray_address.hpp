// SPDX-License-Identifier: Apache-2.0
// stray_address.hpp: debug builds look through what leaves the process for words that are addresses
// of its memory: on another node a raw pointer names nothing, or the wrong thing.
//
// Invariants  A suspicion, not a proof: a number may look like an address, and memory that was
//             never written may hold one. So it is a warning, once for each kind of message.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "terrane/core/message.hpp"
#include "terrane/transport/own_memory.hpp"

namespace terrane {

/// The first word, at a multiple of 8, that is an address of memory of this process. Small numbers,
/// below 2^32, never are.
std::optional<std::size_t> find_address(own_memory& mine, bytes_view data);

class stray_address_watch {
 public:
  /// One sentence on stderr when head or body has an address of ours.
  void look_through(own_memory& mine, processor_id to, entry kind, bytes_view head,
                    bytes_view body);

 private:
  std::set<std::string> said_;
};

}  // namespace terrane
