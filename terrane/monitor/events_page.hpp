// SPDX-License-Identifier: Apache-2.0
// events_page.hpp: docs/events.md, made from the list of events. A test compares the two.
#pragma once

#include <string>

namespace terrane {

std::string events_page();

}  // namespace terrane
