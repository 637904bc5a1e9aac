// SPDX-License-Identifier: Apache-2.0
// findings.hpp: what stands out in a run: sentences with numbers, and a cure for each.
//
// Invariants  Each rule has a run that fires it and one that does not (tests/command/
//             findings_test.py). Of a trace that has lost events nothing else is concluded.
#pragma once

#include <vector>

#include "dashboard/report_data.hpp"

namespace terrane {

/// `all`: everything but its findings.
std::vector<finding> find_findings(const trace_file& file, const known_events& known,
                                   const report_data& all);

}  // namespace terrane
