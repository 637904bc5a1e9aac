// SPDX-License-Identifier: Apache-2.0
// progress_form.hpp: who serves the sockets of a node (wired_world.hpp).
#pragma once

#include <cstdint>

namespace terrane {

enum class progress_form : std::uint8_t { poll, watchdog, modules };

}  // namespace terrane
