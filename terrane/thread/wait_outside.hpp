// SPDX-License-Identifier: Apache-2.0
// wait_outside.hpp: waiting for what happens outside the machine and announces itself to nobody: an
// MPI request, a flag of a device.
//
//   wait_outside([](void* flag) { return device_is_ready(flag); }, &flag, "the device");
//
// Purpose     A thread blocks, and its processor does other work. Idle processors, and busy ones
//             now and then, ask whether it is done. A fiber awaits it with a slot.
// Pitfall     The function is called by any processor of this node, between fibers: it has to be
//             short, and may not block.
#pragma once

#include "terrane/terrane.h"

namespace terrane {

/// True in a thread or fiber of a run.
bool is_in_run();
/// True if this processor's thread may ask what is outside (where only one OS thread may: see
/// terrane/mpi.hpp).
bool asks_outside_here();
/// Blocks this thread until is_done(about) is true. waits_for: for reports.
void wait_outside(bool (*is_done)(void*), void* about, const char* waits_for);
/// Signals the slot when is_done(about) is true.
void then_outside(bool (*is_done)(void*), void* about, terrane_slot_ref done);

}  // namespace terrane
