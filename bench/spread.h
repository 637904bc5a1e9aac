// SPDX-License-Identifier: Apache-2.0
// spread.h: one thread per processor, for runtimes that leave placement to the kernel.
//
// Purpose     Some virtual machines pack runnable threads onto few processors to save the host
//             work. Two busy workers then share one processor for seconds, and a second worker
//             gains nothing. That would measure the machine, not the library.
// Use         Call it after the warm-up, when the runtime's threads exist, and before the clock
//             starts.
// Method      The threads, oldest first, are pinned to the allowed processors in turn. If the main
//             thread only waits, it shares its processor with the second worker.
// Language    C11 with -D_GNU_SOURCE, and C++20.
#ifndef TERRANE_BENCH_SPREAD_H
#define TERRANE_BENCH_SPREAD_H

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/types.h>

enum { bench_threads_max = 1024 };

static inline int bench_older(const void* a, const void* b) {
  const pid_t left = *(const pid_t*)a;
  const pid_t right = *(const pid_t*)b;
  return (left > right) - (left < right);
}

/// The thread identifiers of this process, oldest first.
static inline int bench_threads(pid_t* threads) {
  DIR* folder = opendir("/proc/self/task");
  if (!folder) return 0;
  int count = 0;
  for (struct dirent* entry; count < bench_threads_max && (entry = readdir(folder));) {
    const int id = atoi(entry->d_name);
    if (id > 0) threads[count++] = id;
  }
  closedir(folder);
  qsort(threads, (size_t)count, sizeof *threads, bench_older);
  return count;
}

static inline int bench_next_allowed(const cpu_set_t* allowed, int after) {
  for (int step = 1; step <= CPU_SETSIZE; step++) {
    const int processor = (after + step) % CPU_SETSIZE;
    if (CPU_ISSET(processor, allowed)) return processor;
  }
  return 0;
}

static inline void bench_spread(void) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  pid_t threads[bench_threads_max];
  const int count = bench_threads(threads);
  int processor = -1;
  for (int i = 0; i < count; i++) {
    cpu_set_t one;
    CPU_ZERO(&one);
    processor = bench_next_allowed(&allowed, processor);
    CPU_SET(processor, &one);
    sched_setaffinity(threads[i], sizeof one, &one);
  }
}

#endif
