// SPDX-License-Identifier: Apache-2.0
// run_end.hpp: the end of a run that the program asks for, with a sentence of its own.
#pragma once

namespace terrane {

/// Ends the run: all of its processes, with that exit code. The sentence is printed as those of
/// fail() are; of several that end or fail the run at one time, one speaks.
[[noreturn, gnu::cold]] void end_run(int exit_code, const char* sentence);

}  // namespace terrane
