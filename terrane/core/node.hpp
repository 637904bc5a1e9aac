// SPDX-License-Identifier: Apache-2.0
// node.hpp: one address space of the machine: its processors, the exchange of their tokens, and the
// policy that balances its load with that of other nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "terrane/core/load_meter.hpp"
#include "terrane/core/policy_host.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/token_exchange.hpp"

namespace terrane {

struct node_options {
  node_id number = 0;
  std::uint32_t nodes = 1;
  std::uint32_t processors = 1;  // of this node
  std::uint64_t seed = 1;
  int enough = 1;             // tokens a processor keeps queued before it runs children at once
  bool enough_fixed = false;  // the user chose `enough`: the balancer's choice is ignored
};

class node {
 public:
  node(const node_options& options, std::unique_ptr<balancer> policy, terrane::world& world)
      : number_(options.number),
        exchange_(pool_target(options.nodes, options.processors),
                  world.neighbours ? world.neighbours->window(options.number) : nullptr, world),
        meter_(options.number, options.nodes),
        policy_(*this, options, std::move(policy), world) {}

  /// Called once, before the run, with this node's processors in order.
  void attach(std::span<processor* const> processors) { exchange_.attach(processors); }

  node_id number() const { return number_; }
  std::span<processor* const> processors() const { return exchange_.processors(); }
  token_exchange& exchange() { return exchange_; }
  load_meter& meter() { return meter_; }
  policy_host& policy() { return policy_; }

 private:
  const node_id number_;
  token_exchange exchange_;
  load_meter meter_;
  policy_host policy_;
};

}  // namespace terrane
