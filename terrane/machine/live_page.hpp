// SPDX-License-Identifier: Apache-2.0
// live_page.hpp: the page of a run that goes on. It asks for new data once a second.
#pragma once

#include <string_view>

namespace terrane {

extern const std::string_view live_page;

}  // namespace terrane
