// SPDX-License-Identifier: Apache-2.0
// table.hpp: the balancers by name, with a summary and the parameters of each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/core/balancer.hpp"

namespace terrane {

using balancer_parameters = std::map<std::string, int, std::less<>>;
using balancer_factory = std::function<std::unique_ptr<balancer>()>;

struct balancer_entry {
  std::string_view name;
  std::string_view summary;
  /// A line for each: "name  what, unit, default"; empty if there are none.
  std::string_view parameters;
  /// The head of the policy's file: its four phases, parameters and source.
  std::string_view head;
  std::unique_ptr<balancer> (*make)(const balancer_parameters&);
  /// Why these parameters do not go together on that simulated network, or on no such (empty), as a
  /// sentence; empty: they do. Null: they always do.
  std::string (*problem)(const balancer_parameters&, std::string_view network) = nullptr;
};

std::span<const balancer_entry> balancers();

/// `name` or `name:parameter=number,...`: a factory that makes one for each node, or an error.
result<balancer_factory> choose_balancer(std::string_view specification,
                                         std::string_view network = {});

/// The same for this entry, with `parameter=number,...` or nothing.
result<balancer_factory> choose_parameters(const balancer_entry& entry, std::string_view parameters,
                                           std::string_view network = {});

/// The parameter of that name; `otherwise` if it was not given.
inline int value_or(const balancer_parameters& given, std::string_view name, int otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : found->second;
}

}  // namespace terrane
