// SPDX-License-Identifier: Apache-2.0
// table.hpp: the policies that place the members of ropes, by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/core/rope_balancer.hpp"

namespace terrane {

struct rope_balancer_entry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<rope_balancer> (*make)();  // null: members stay
};

std::span<const rope_balancer_entry> rope_balancers();
/// An error if there is none of that name.
result<rope_balancer_factory> choose_rope_balancer(std::string_view name);

}  // namespace terrane
