// SPDX-License-Identifier: Apache-2.0
// os_locks.hpp: checked builds count the locks of the C library that an OS thread holds.
//
// Purpose     A thread of ours that gives way with a std::mutex held lets others run on its OS
//             thread: who wants that mutex there waits for ever, and who moves gives it back from
//             another OS thread. A build with TERRANE_CHECKED (Debug, by CMake) finds that at the
//             switch, and elsewhere it costs nothing.
// Invariants  std::mutex, std::shared_mutex and their timed kinds take and give back by functions
//             that this file puts itself in front of. ThreadSanitizer stands there already: with
//             it nothing is counted.
#pragma once

#include "terrane/base/sanitizers.hpp"

namespace terrane {

#if defined(TERRANE_CHECKED) && !defined(TERRANE_TSAN)
inline constexpr bool os_locks_are_counted = true;
/// By this OS thread.
int os_locks_held();
#else
inline constexpr bool os_locks_are_counted = false;
inline int os_locks_held() { return 0; }
#endif
/// Called before this process waits for a condition variable of the C library, from now on.
void on_os_wait(void (*hear)());

}  // namespace terrane
