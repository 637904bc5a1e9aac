// SPDX-License-Identifier: Apache-2.0
// planted_bugs.hpp: what the planted bugs that lose signals do to a message.
#pragma once

#include "terrane/core/processor.hpp"
#include "terrane/transport/faults.hpp"
#include "terrane/transport/parcel.hpp"

namespace terrane {

/// Called before `self` handles `next`. True if the message is to be dropped as a whole. The
/// receiver loses the signal, not the wire: the message counts as received. A put whose signal is
/// lost still writes its data. alone: `next` is the first message of this poll.
bool forgets_signal(planted_bug bug, fault_plan& dice, processor& self, parcel& next, bool alone);

}  // namespace terrane
