// SPDX-License-Identifier: Apache-2.0
// rope_balancer_file.hpp: the policy that --rope-balancer names: one of the built-in ones, or that
// of a shared library.
#pragma once

#include <string>

#include "terrane/balance/rope/table.hpp"

namespace terrane {

/// Like choose_rope_balancer, but a name that contains '/' is the path of a shared library made
/// with TERRANE_ROPE_BALANCER (balance/rope/plugin.hpp). What it throws is R-310.
result<rope_balancer_factory> find_rope_balancer(const std::string& specification);

}  // namespace terrane
