// SPDX-License-Identifier: Apache-2.0
// asks_once.cpp: a balancer whose idle nodes ask their neighbour once. It says nothing, or, with
// refuses=1, that it gives nothing.
#include "terrane/balance/plugin.hpp"

using namespace terrane;

class asks_once final : public balancer {
 public:
  explicit asks_once(const balancer_parameters& given)
      : refuses_(value_or(given, "refuses", 0) != 0) {}

  void on_idle(node_view& node) override {
    if (asked_ || node.me() == 0) return;
    asked_ = true;
    node.tell(node.left(), {});
  }
  void on_note(node_view& node, node_id from, const note&) override {
    if (refuses_ && node.me() == 0) node.tell(from, {});
  }

 private:
  const bool refuses_;
  bool asked_ = false;
};

TERRANE_BALANCER_WITH(asks_once, "idle nodes ask their neighbour once",
                      "refuses  whether it answers that it gives nothing (default: 0)\n")
