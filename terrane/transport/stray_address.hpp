// SPDX-License-Identifier: Apache-2.0
// stray_address.hpp: debug builds look through what goes from one process to another for words that
// are addresses of the former's memory: on another node a raw pointer names nothing, or the wrong
// thing.
//
// Invariants  A suspicion, not a proof: a number may look like an address, and memory that was
//             never written may hold one. So it is a warning, once for each kind of message. A
//             reply (terrane_reply) is a slot's name and an address beside it, which its owner
//             alone reads: that one is let be.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "terrane/core/balancer.hpp"
#include "terrane/core/message.hpp"
#include "terrane/transport/mapped_memory.hpp"

namespace terrane {

/// The first word, at a multiple of 8, that is an address of memory that the process has alone, and
/// no reply's. Numbers below 5 x 2^44 never are. processors: of the machine.
std::optional<std::size_t> find_address(mapped_memory& of, bytes_view data,
                                        std::uint32_t processors);

class stray_address_watch {
 public:
  explicit stray_address_watch(std::uint32_t processors) : processors_(processors) {}

  /// A message leaves: one sentence on stderr when head or body has an address of ours.
  void look_through(mapped_memory& mine, processor_id to, entry kind, bytes_view head,
                    bytes_view body);
  /// A token was taken without the help of its node: the same when it has an address of theirs.
  /// function: what the token is here.
  void look_through(mapped_memory& theirs, node_id from, const terrane_function& function,
                    bytes_view arguments);

 private:
  void say(const std::string& what, const std::string& whither, bytes_view data, std::size_t at);

  std::uint32_t processors_;
  std::set<std::string> said_;
};

}  // namespace terrane
