// SPDX-License-Identifier: Apache-2.0
// versions.hpp: the versions of [CHANT §3.2].
//
// Messages    A step of n > 1 domains has, in each, n - 1 sends and as many receives for particles,
//             as many for forces, 2 for each of 41 exchanges of rows, and 1 for the field. So both
//             counts of a run are STEPS n (2 (n - 1) + 83): n = P in original and functional, and
//             n = P V in virtual. One domain sends nothing.
#pragma once

#include <optional>
#include <string_view>

#include "programs/pic/domain.hpp"

namespace terrane::pic {

enum class version { sequential, original, functional, virtual_ };

std::optional<version> version_called(std::string_view name);
/// How many domains it has on so many processors.
int domains_of(version which, const problem& about, int processors);
/// Runs it in the calling thread and the threads that it makes.
totals run(version which, const problem& about);

}  // namespace terrane::pic
