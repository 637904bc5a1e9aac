// SPDX-License-Identifier: Apache-2.0
// resident.hpp: what this process has in memory.
#pragma once

#include <cstdio>

namespace terrane {

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
