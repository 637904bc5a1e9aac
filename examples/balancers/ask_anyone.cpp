// SPDX-License-Identifier: Apache-2.0
// ask_anyone.cpp: a balancer of its own: an idle node asks a random one, which gives if it can.
//
// Transfer     receiver-initiated: an idle node asks.
// Selection    the oldest token.
// Location     a random node; one that has nothing passes the request on, `hops` times in all.
// Information  none.
// Parameters   hops: nodes that a request visits. Default 3.
#include "terrane/balance/plugin.hpp"

using namespace terrane;

class ask_anyone final : public balancer {
 public:
  explicit ask_anyone(const balancer_parameters& given) : hops_(value_or(given, "hops", 3)) {}

  void on_idle(node_view& node) override {
    if (node.load() == 0) node.tell(node.random_other(), {request, node.me(), hops_});
  }

  void on_note(node_view& node, node_id, const note& what) override {
    if (what.about == node.me()) return;
    if (node.give_oldest(what.about, 1) > 0)
      node.log({"ask_anyone answers", what.about, node.load(), what.value});
    else if (what.value > 1)
      node.tell(node.random_other(), {request, what.about, what.value - 1});
  }

 private:
  static constexpr std::uint32_t request = 1;
  const int hops_;
};

TERRANE_BALANCER_WITH(ask_anyone, "idle nodes ask any other, which gives if it can",
                      "hops  nodes that a request visits (default: 3)\n")
