// SPDX-License-Identifier: Apache-2.0
// resident.hpp: how much memory of this process is resident.
#pragma once

#include <cstdio>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

#include "terrane/base/sanitizers.hpp"

namespace terrane {

/// False under a tool that adds memory of its own to the process: sanitizers and valgrind.
inline bool memory_is_ours_alone() {
#if defined(TERRANE_ASAN) || defined(TERRANE_TSAN)
  return false;
#elif defined(RUNNING_ON_VALGRIND)
  return RUNNING_ON_VALGRIND == 0;
#else
  return true;
#endif
}

/// Resident memory of this process now, MiB.
inline long resident_mib() {
  long pages = 0, skipped;
  if (FILE* const counts = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(counts, "%ld %ld", &skipped, &pages) != 2) pages = 0;
    std::fclose(counts);
  }
  return pages / 256;
}

}  // namespace terrane
