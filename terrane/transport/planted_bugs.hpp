// SPDX-License-Identifier: Apache-2.0
// planted_bugs.hpp: what a bug of signals, planted into the runtime, does to a message.
#pragma once

#include "terrane/core/processor.hpp"
#include "terrane/transport/faults.hpp"
#include "terrane/transport/parcel.hpp"

namespace terrane {

/// Before `next` is handled at `self`: true if the whole of it is to be forgotten. A signal is
/// forgotten by the receiver, not by the wire: it counts as taken. alone: it is the first one found
/// at this look.
bool forgets_signal(planted_bug bug, fault_plan& dice, processor& self, parcel& next, bool alone);

}  // namespace terrane
