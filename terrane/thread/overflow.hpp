// SPDX-License-Identifier: Apache-2.0
// overflow.hpp: a stack that is too small is named, with the thread and the size to set.
#pragma once

namespace terrane {

class thread_block;

/// From now on a fault in the guard below the running thread's stack is R-280.
void name_overflows();
/// Ends the run with R-280. By nothing that a signal handler must not call: the stack may have run
/// out in the middle of anything.
[[noreturn]] void stack_overflowed(const thread_block& whose);

}  // namespace terrane
