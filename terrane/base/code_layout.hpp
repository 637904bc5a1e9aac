// SPDX-License-Identifier: Apache-2.0
// code_layout.hpp: whether what a stack says of code means the same in two processes.
#pragma once

#include <cstdint>

namespace terrane {

/// Equal in two processes of one executable where that and its libraries lie at equal addresses,
/// and stacks have the same guards: a return address, or the guard word below it, is good in both.
/// Forked processes are so; of those started anew none is, since each draws a guard of its own.
std::uint64_t code_layout();

}  // namespace terrane
