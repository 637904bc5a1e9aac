// SPDX-License-Identifier: Apache-2.0
// event_choice.hpp: reads which classes of events a user wants.
#pragma once

#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/core/event.hpp"

namespace terrane {

/// `all` (but what only a replay needs), `none`, or names of classes with commas between them; a
/// name after `-` is left out, and if the first one is, all others are meant. A problem completes
/// "--events ...".
result<event_mask> read_event_classes(std::string_view text);

}  // namespace terrane
