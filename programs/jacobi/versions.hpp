// SPDX-License-Identifier: Apache-2.0
// versions.hpp: the versions of [CHANT §3.1], and one whose members move.
#pragma once

#include <optional>
#include <string_view>

#include "programs/jacobi/grid.hpp"

namespace terrane::jacobi {

enum class version { sequential, blocking, overlapped, threads, chaotic, rope };

std::optional<version> version_called(std::string_view name);
/// Runs it in the calling thread and the threads that it makes, and returns the answer.
answer run(version which, const problem& about);

}  // namespace terrane::jacobi
