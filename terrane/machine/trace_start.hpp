// SPDX-License-Identifier: Apache-2.0
// trace_start.hpp: what the process that starts a run writes to its trace: the head, which says
// which run it is, and at last how it ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/core/place.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

/// Makes the file, or empties it, and writes its head. words: the program, and its own arguments.
result<void> start_trace(const run_options& options, const std::vector<std::string>& words);

/// Adds how the run ended: its statistics as JSON, or why there are none. Does nothing if the run
/// has no trace.
void end_trace(const run_options& options, const std::string& statistics);
/// Adds that a node was lost.
void tell_trace_of_loss(const run_options& options, node_id lost, const std::string& sentence);

/// A chunk that says that the process failed.
std::string end_chunk(node_id process, std::string_view sentence, int exit_code);

/// A chunk with one exchange of stamps between a process and the launcher: when it asked, the
/// launcher's time, and when the answer came.
std::string exchange_chunk(node_id process, std::uint64_t asked, std::uint64_t launcher,
                           std::uint64_t told);

/// Writes all bytes by one write, as far as the system lets it. False: errno says why not.
bool append_whole(int descriptor, std::string_view bytes);

}  // namespace terrane
