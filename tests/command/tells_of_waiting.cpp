// SPDX-License-Identifier: Apache-2.0
// tells_of_waiting.cpp: a balancer that gives all it has away in turns, and sends a note for each
// time that an idle node of its sees that it waits for data.
#include "terrane/balance/plugin.hpp"

using namespace terrane;

class tells_of_waiting final : public balancer {
 public:
  void on_start(node_view& node) override {
    node.set_surplus(0);
    to_ = node.me();
  }
  void on_idle(node_view& node) override {
    if (node.waits_for_data()) node.tell(node.right(), {});
  }
  void on_surplus(node_view& node) override {
    do {
      to_ = (to_ + 1) % node.nodes();
      if (to_ == node.me()) to_ = node.right();
    } while (node.me() == 0 && node.give_oldest(to_, 1) > 0);
  }

 private:
  node_id to_ = 0;
};

TERRANE_BALANCER(tells_of_waiting, "node 0 gives all away; an idle node tells that it waits")
