// SPDX-License-Identifier: Apache-2.0
// report.hpp: one HTML file that shows what a run did, and why. It needs no network.
#pragma once

#include <string>

#include "dashboard/text_sink.hpp"
#include "terrane/base/result.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

/// name: of the trace's file, for the commands that the page shows.
result<void> write_report(const trace_file& file, const std::string& name, const text_sink& to);

}  // namespace terrane
