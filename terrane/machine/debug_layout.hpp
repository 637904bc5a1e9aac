// SPDX-License-Identifier: Apache-2.0
// debug_layout.hpp: what a debugger reads of the runtime, in every executable.
#pragma once

namespace terrane {

/// Called once by every run, so that the linker takes terrane_debug_layout and the commands of
/// gdb_commands.py in.
void keep_debug_layout();

}  // namespace terrane
