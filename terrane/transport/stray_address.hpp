// SPDX-License-Identifier: Apache-2.0
// stray_address.hpp: in debug builds, searches what one process sends to another for words that are
// addresses in the sender's memory. On another node a raw pointer names nothing, or the wrong
// datum.
//
// Invariants  A hit is a suspicion, not a proof: a number may look like an address, and memory that
//             was never written may hold one. So it is a warning, printed once for each kind of
//             message. A reply (terrane_reply) consists of a slot's name and an address after it.
//             Only the slot's owner reads that address, so it is ignored.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "terrane/core/balancer.hpp"
#include "terrane/core/message.hpp"
#include "terrane/transport/mapped_memory.hpp"

namespace terrane {

/// The offset of the first word, at a multiple of 8, that is an address in private memory of the
/// process `of` and is not part of a reply. Numbers below 5 x 2^44 never count as addresses.
/// processors: how many the machine has.
std::optional<std::size_t> find_address(mapped_memory& of, bytes_view data,
                                        std::uint32_t processors);

class stray_address_watch {
 public:
  explicit stray_address_watch(std::uint32_t processors) : processors_(processors) {}

  /// A message leaves: prints a sentence on stderr if head or body holds an address of this
  /// process.
  void look_through(mapped_memory& mine, processor_id to, entry kind, bytes_view head,
                    bytes_view body);
  /// A token was taken from `from` without that node's help: the same if its arguments hold an
  /// address of that process. function: the token's function in this process.
  void look_through(mapped_memory& theirs, node_id from, const terrane_function& function,
                    bytes_view arguments);

 private:
  void say(const std::string& what, const std::string& whither, bytes_view data, std::size_t at);

  std::uint32_t processors_;
  std::set<std::string> said_;
};

}  // namespace terrane
