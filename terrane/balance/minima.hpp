// SPDX-License-Identifier: Apache-2.0
// minima.hpp: the first tokens go round the ring, one to each node; then the balancer is off.
//
// Transfer     the first time that a node has more than `threshold` tokens queued, and never again.
// Selection    the newest token.
// Location     the right neighbour, which does the same.
// Information  none.
// Parameters   threshold: tokens; a node with more gives one. Default 2.
// Source       [EARTH-LB §5.3]. It does not say how each node gets its token. This way agrees with
//              [EARTH-LB Table 4]: of TSP(10) nine of ten subtrees stay on the first node (7.78 s
//              of 8.58), of Fibonacci(33) all but fib(29), 85 %, and of Queens(12) a node keeps two
//              columns, 18 % (the paper's 0.754 s are 15 %).
#pragma once

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

struct minima_options {
  int threshold = 2;
};

class minima final : public balancer {
 public:
  explicit minima(const minima_options& options = {}) : options_(options) {}

  void on_start(node_view& node) override {
    if (node.nodes() == 1) return;
    node.set_surplus(options_.threshold);
    node.set_enough(options_.threshold + 2);  // with fewer it would never have more
  }

  void on_surplus(node_view& node) override {
    if (off_ || node.load() <= options_.threshold || !node.give_newest(node.right())) return;
    node.log({"minima gives its one token", node.right(), node.load(), 0});
    off_ = true;
    node.set_surplus(-1);
    node.set_enough(1);
  }

 private:
  const minima_options options_;
  bool off_ = false;
};

}  // namespace terrane::balance
