// SPDX-License-Identifier: Apache-2.0
// plugin.hpp: what makes a shared library a balancer of ropes: one line under the policy's class.
//
//   class mine final : public terrane::rope_balancer { ... };
//   TERRANE_ROPE_BALANCER(mine, "what it does, in a line")
//
// See docs/chant.md.
#pragma once

#include "terrane/balance/rope/table.hpp"

namespace terrane {

/// To be raised whenever rope_view or rope_balancer change.
inline constexpr int rope_balancer_interface_version = 1;
inline constexpr const char* rope_balancer_plugin_name = "terrane_rope_balancer_plugin";

struct rope_balancer_plugin {
  int interface_version;  // always first, so that every version can read it
  rope_balancer_entry entry;
};

}  // namespace terrane

// Visible even where the project hides its symbols.
#define TERRANE_ROPE_BALANCER(policy, summary)                      \
  extern "C" __attribute__((visibility("default")))                 \
  const terrane::rope_balancer_plugin terrane_rope_balancer_plugin; \
  const terrane::rope_balancer_plugin terrane_rope_balancer_plugin{ \
      terrane::rope_balancer_interface_version,                     \
      {#policy, summary,                                            \
       []() -> std::unique_ptr<terrane::rope_balancer> { return std::make_unique<policy>(); }}};
