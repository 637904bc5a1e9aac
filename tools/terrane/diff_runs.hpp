// SPDX-License-Identifier: Apache-2.0
// diff_runs.hpp: compares runs by their traces or statistics.
#pragma once

#include "tools/terrane/command.hpp"

namespace terrane {

/// Prints what differs. Files of each side: traces or --stats json. Exit code 1: some figure
/// differs by more than the runs of one side do.
int diff_runs(const words& left, const words& right);

}  // namespace terrane
