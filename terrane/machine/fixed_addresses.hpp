// SPDX-License-Identifier: Apache-2.0
// fixed_addresses.hpp: nodes that are started on hosts, with their code at equal addresses.
//
// Purpose     The kernel chooses the addresses of each program anew, so a stack of one process is
//             of no use in another. A node that is told so (remote_nodes.hpp) asks the kernel not
//             to, and begins again, before main and before anything was read or written.
// Limits      Where a container forbids to ask, or hosts' kernels or libraries differ, addresses
//             differ, and threads stay on their node (migration::stays).
#pragma once

namespace terrane {

/// Programs that this one starts have addresses that the kernel chooses. Also keeps what begins
/// again in programs that are linked with an archive.
void end_fixed_addresses();

}  // namespace terrane
