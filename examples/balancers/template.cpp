// SPDX-License-Identifier: Apache-2.0
// template.cpp: a balancer to begin with: it hears everything and does nothing.
//
// Transfer     when is work to move?
// Selection    which tokens? give_oldest and take_oldest move the oldest.
// Location     to or from which node?
// Information  what is known of the others, and how?
// Parameters   name: what, unit. Default.
#include "terrane/balance/plugin.hpp"

using namespace terrane;

class mine final : public balancer {
 public:
  void on_start(node_view& node) override { node.set_surplus(-1); }  // never; or a number of tokens
  void on_idle(node_view&) override {}                               // this node has nothing to run
  void on_surplus(node_view&) override {}                            // more queued than set_surplus
  void on_note(node_view&, node_id /*from*/, const note&) override {}
  void on_token(node_view&, node_id /*from*/, const load_hint&) override {}
  void on_tick(node_view&) override {}  // the period that every() asked for
};

TERRANE_BALANCER(mine, "what it does, in a line")
