// SPDX-License-Identifier: Apache-2.0
// plugin.hpp: what makes a shared library a balancer: one line under the policy's class.
//
//   class mine final : public terrane::balancer { ... };
//   TERRANE_BALANCER(mine, "what it does, in a line")
//
// With parameters the class takes them in its constructor, and the line lists them:
//
//   explicit mine(const terrane::balancer_parameters& given);
//   TERRANE_BALANCER_WITH(mine, "what it does", "keep  tokens it keeps (default: 1)\n")
//
// See docs/write-a-balancer.md.
#pragma once

#include "terrane/balance/table.hpp"

namespace terrane {

/// To be raised whenever node_view, balancer or their arguments change.
inline constexpr int balancer_interface_version = 5;
inline constexpr const char* balancer_plugin_name = "terrane_balancer_plugin";

struct balancer_plugin {
  int interface_version;  // always first, so that every version can read it
  balancer_entry entry;
};

}  // namespace terrane

// Visible even where the project hides its symbols.
#define TERRANE_BALANCER_ENTRY(policy, summary, parameters, make) \
  extern "C" __attribute__((visibility("default")))               \
  const terrane::balancer_plugin terrane_balancer_plugin;         \
  const terrane::balancer_plugin terrane_balancer_plugin{         \
      terrane::balancer_interface_version, {#policy, summary, parameters, "", make}};

#define TERRANE_BALANCER(policy, summary)                                             \
  TERRANE_BALANCER_ENTRY(                                                             \
      policy, summary, "",                                                            \
      [](const terrane::balancer_parameters&) -> std::unique_ptr<terrane::balancer> { \
        return std::make_unique<policy>();                                            \
      })

#define TERRANE_BALANCER_WITH(policy, summary, parameters)                                  \
  TERRANE_BALANCER_ENTRY(                                                                   \
      policy, summary, parameters,                                                          \
      [](const terrane::balancer_parameters& given) -> std::unique_ptr<terrane::balancer> { \
        return std::make_unique<policy>(given);                                             \
      })
