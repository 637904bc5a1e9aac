// SPDX-License-Identifier: Apache-2.0
// live.hpp: what asks runs that go on.
#pragma once

#include "tools/terrane/command.hpp"

namespace terrane {

/// terrane trace on|off CLASSES [PID]: arguments begin with the word on or off.
int trace_switch(const words& arguments);

}  // namespace terrane
