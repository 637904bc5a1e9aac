// SPDX-License-Identifier: Apache-2.0
// remote_guard.hpp: ends a node on another host when nobody there can.
//
// Purpose     A node that loses its launcher ends by itself. One that was stopped by a signal
//             cannot, and ssh's daemon does not end what it has started. So a small process beside
//             the node waits for the end of the channel to the launcher, and then kills the node.
#pragma once

namespace terrane {

/// Starts the guard of this process, which was started by a launcher on another host. Its channel
/// is standard error. The guard ends when this process does. Works once; without a process for it
/// the node runs unguarded.
void guard_this_process();

}  // namespace terrane
