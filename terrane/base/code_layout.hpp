// SPDX-License-Identifier: Apache-2.0
// code_layout.hpp: whether a stack of one process can run in another.
#pragma once

#include <cstdint>

namespace terrane {

/// Whether guard words of the processes are their own, or agreed upon (stack_guard_word.hpp).
enum class guard_words { own, agreed };

/// A number that is equal in two processes of one executable if the executable and its libraries
/// lie at equal addresses and the stack protector's guard is the same: then return addresses and
/// guard words on a stack are valid in both. It is equal in forked processes. Processes that were
/// started by exec differ, since each draws its own guard and, unless the kernel is told not to
/// (machine/fixed_addresses.hpp), its own addresses. With guard_words::agreed guards do not count;
/// then what setjmp keeps is not valid elsewhere.
std::uint64_t code_layout(guard_words guards = guard_words::own);

}  // namespace terrane
