// SPDX-License-Identifier: Apache-2.0
// written_file.hpp: what a subcommand makes of a trace, as a file or on stdout.
#pragma once

#include <functional>
#include <string>

#include "dashboard/text_sink.hpp"

namespace terrane {

/// Calls write(sink), where the sink goes to the file `path`, or to stdout if that is `-`. A file
/// that could not be written whole is removed, and the reason is on stderr. Returns the exit code.
int write_file(const std::string& path, const std::function<result<void>(const text_sink&)>& write);

}  // namespace terrane
