// SPDX-License-Identifier: Apache-2.0
// two_sides_test.hpp: two nodes of one run that shake hands through a wire that a test may change.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/openssl.hpp"
#include "terrane/transport/tcp/handshake.hpp"

namespace terrane {

using wire_bytes = std::vector<unsigned char>;

/// Takes everything that a side has to send.
inline wire_bytes all_of(handshake& from) {
  const wire_bytes bytes(from.to_send().begin(), from.to_send().end());
  from.sent(bytes.size());
  return bytes;
}

inline node_facts facts_on(const std::string& host) {
  node_facts facts;
  facts.build = "0123456789abcdef0123456789abcdef01234567";
  facts.host = host;
  facts.address = "10.0.0.1";
  facts.port = 4000;
  facts.version = 7;
  facts.process = 4711;
  facts.image = 0x555555554000;
  facts.layout = 0x1234'5678'9abc'def0;
  return facts;
}

/// One node: who it is, and whom it has admitted.
struct side {
  side(node_id number, const job_secret& secret, const node_facts& facts, node_id nodes = 4)
      : who(number, secret, facts), admitted(number, nodes) {}

  handshake calls(node_id peer) {
    admitted.begin_call(peer);
    return handshake::call(who, admitted, peer);
  }
  handshake answers() { return handshake::answer(who, admitted); }

  identity who;
  admissions admitted;
};

/// What a test does to a message: 0 hello, 1 challenge, 2 proof, 3 verdict.
using tampering = std::function<void(int message, wire_bytes& bytes)>;

/// Passes messages to and fro until nobody has more to say.
inline void talk(handshake& caller, handshake& callee, const tampering& with = {}) {
  for (int message = 0; message < 8; ++message) {
    handshake& from = message % 2 == 0 ? caller : callee;
    handshake& to = message % 2 == 0 ? callee : caller;
    wire_bytes bytes = all_of(from);
    if (bytes.empty()) return;
    if (with) with(message, bytes);
    to.take(bytes);
  }
}

/// Nodes 1 (which calls) and 2 of one run of four nodes.
struct two_sides {
  two_sides() : secret(job_secret::mint().value()) {}

  job_secret secret;
  side one{1, secret, facts_on("a")}, two{2, secret, facts_on("b")};
};

}  // namespace terrane
