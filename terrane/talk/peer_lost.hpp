// SPDX-License-Identifier: Apache-2.0
// peer_lost.hpp: what calls throw that wait for a thread on a node that is lost (--after-loss).
//
//   try { x = recv<double>(other, 7); }
//   catch (const peer_lost& gone) { /* gone.node() has ended, and other with it */ }
//
// Rules       Sends that wait for their receive, receives, probes and collectives throw if the
//             thread that they need was last heard of on that node; what it has sent before is
//             received first. A receive or probe for any source throws once for each lost node: one
//             that is called again waits for the others. In a rope that is so if the node had a
//             member. The request, or the call, that threw is over; others stay as they were.
//             A slot that is to be signalled in the end is not.
#pragma once

#include <exception>
#include <string>

#include "terrane/thread/thread_id.hpp"

namespace terrane {

class peer_lost : public std::exception {
 public:
  peer_lost(thread_id who, node_id where, std::string says)
      : who_(who), where_(where), says_(std::move(says)) {}
  /// Whom the call needs; no_thread: any, or the members of a rope.
  thread_id who() const { return who_; }
  node_id node() const { return where_; }
  const char* what() const noexcept override { return says_.c_str(); }

 private:
  thread_id who_;
  node_id where_;
  std::string says_;
};

}  // namespace terrane
