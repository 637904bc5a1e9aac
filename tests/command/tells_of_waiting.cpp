// SPDX-License-Identifier: Apache-2.0
// tells_of_waiting.cpp: a balancer whose nodes give all they make to the others in turn, and send a
// note whenever they are idle and told that they wait for data.
#include "terrane/balance/plugin.hpp"

using namespace terrane;

class tells_of_waiting final : public balancer {
 public:
  void on_start(node_view& node) override { node.set_surplus(0); }
  void on_idle(node_view& node) override {
    if (node.waits_for_data()) node.tell(node.right(), {});
  }
  void on_surplus(node_view& node) override {
    const std::uint32_t others = node.nodes() - 1;
    while (node.give_oldest((node.me() + 1 + given_ % others) % node.nodes(), 1) > 0) ++given_;
  }

 private:
  std::uint32_t given_ = 0;
};

TERRANE_BALANCER(tells_of_waiting, "nodes give all away, and tell that they wait")
