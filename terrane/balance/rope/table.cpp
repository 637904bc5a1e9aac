// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/rope/table.hpp"

#include <array>

#include "terrane/balance/rope/greedy.hpp"
#include "terrane/balance/rope/neighbours.hpp"
#include "terrane/balance/rope/refine.hpp"

namespace terrane {

namespace {

template <class Policy>
std::unique_ptr<rope_balancer> plain() {
  return std::make_unique<Policy>();
}

constexpr std::array<rope_balancer_entry, 4> policies{{
    {"none", "members stay, and nothing is measured", nullptr},
    {"greedy", "the busiest members first, each to the processor that has least so far",
     plain<balance::greedy>},
    {"refine", "few moves, from the busiest processor to the idlest", plain<balance::refine>},
    {"neighbours", "members that talk stay together: equal shares of a chain of them",
     plain<balance::neighbours>},
}};

}  // namespace

std::span<const rope_balancer_entry> rope_balancers() { return policies; }

result<rope_balancer_factory> choose_rope_balancer(std::string_view name) {
  std::string names;
  for (const rope_balancer_entry& each : policies) {
    if (each.name == name)
      return each.make ? rope_balancer_factory(each.make) : rope_balancer_factory();
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  return error{"there is no balancer of ropes '" + std::string(name) + "': choose one of " + names +
               ", or a file, as ./mine.so"};
}

}  // namespace terrane
