// SPDX-License-Identifier: Apache-2.0
// overflow.hpp: reports a stack overflow, with the name of the thread and the size to set.
#pragma once

namespace terrane {

class thread_block;

/// From now on a fault in the guard below the running thread's stack is reported as R-280.
void name_overflows();
/// Ends the run with R-280. Calls only what a signal handler may: the stack may have overflowed
/// anywhere.
[[noreturn]] void stack_overflowed(const thread_block& whose);

}  // namespace terrane
