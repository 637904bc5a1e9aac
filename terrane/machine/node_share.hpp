// SPDX-License-Identifier: Apache-2.0
// node_share.hpp: what one node's process reports to its launcher about a run that has ended.
#pragma once

#include <string>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"

namespace terrane {

/// The share as one line, with its line end.
std::string share_text(const run_outcome& of_node);

/// Adds the share of one node to the outcome of the whole run; node 0's must be first. A text that
/// is no share is an error.
result<void> add_share(run_outcome& whole, const std::string& text);

}  // namespace terrane
