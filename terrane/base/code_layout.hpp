// SPDX-License-Identifier: Apache-2.0
// code_layout.hpp: whether a stack of one process can run in another.
#pragma once

#include <cstdint>

namespace terrane {

/// A number that is equal in two processes of one executable if the executable and its libraries
/// lie at equal addresses and the stack protector's guard is the same: then return addresses and
/// guard words on a stack are valid in both. It is equal in forked processes. Processes that were
/// started by exec differ, since each draws its own guard.
std::uint64_t code_layout();

}  // namespace terrane
