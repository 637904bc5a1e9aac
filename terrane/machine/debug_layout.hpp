// SPDX-License-Identifier: Apache-2.0
// debug_layout.hpp: the table by which a debugger finds the runtime's data, in every executable.
#pragma once

namespace terrane {

/// Every run calls it once, so that the linker includes terrane_debug_layout and the commands of
/// gdb_commands.py.
void keep_debug_layout();

}  // namespace terrane
