// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/admissions.hpp"

namespace terrane {

bool admissions::begin_call(node_id peer) {
  peer_state& its = at(peer);
  if (its.called || its.connected) return false;
  its.called = true;
  return true;
}

void admissions::end_call(node_id peer) {
  if (!at(peer).connected) at(peer).called = false;
}

refusal admissions::admit(node_id peer) {
  peer_state& its = at(peer);
  // Our call is the connection, or will be. The peer's may have been under way all the time, so it
  // is no fault, also if ours has been accepted meanwhile. It has one such call.
  if (its.called && self_ < peer && !its.crossed) {
    its.crossed = true;
    return refusal::crossed;
  }
  if (its.called && self_ < peer) return refusal::second_claim;
  if (its.connected) return refusal::second_claim;
  its.called = false;
  its.connected = true;
  return refusal::none;
}

refusal admissions::called(node_id peer) {
  peer_state& its = at(peer);
  // The peer's own call was admitted while ours was under way, and by the rule it is the one.
  if (!its.called) return refusal::crossed;
  if (its.connected) return refusal::second_claim;
  its.connected = true;
  return refusal::none;
}

}  // namespace terrane
