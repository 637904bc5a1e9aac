// SPDX-License-Identifier: Apache-2.0
// report.h: shared by all benchmark programs: arguments, clock, check of the answer, printed line.
//
// Contract    `program <workers> <n>` computes, compares with the known answer, then prints
//             problem,library,compiler,workers,n,seconds,tasks,ns_per_task,rss_kib
//             A wrong answer gives a sentence and exit code 1, bad arguments a sentence and 2.
// Language    C11 and C++20, because some libraries are used from C.
// Pitfall     rss_kib is the kernel's VmHWM. getrusage's ru_maxrss survives exec: it would report
//             the launcher's peak whenever that is larger.
#ifndef TERRANE_BENCH_REPORT_H
#define TERRANE_BENCH_REPORT_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct bench_run {
  const char* problem;
  const char* library;
  int workers;
  int n;
};

/// answer: what the program must find. tasks: the number of tasks that it needs, the divisor of
/// ns_per_task.
struct bench_known {
  uint64_t answer;
  uint64_t tasks;
};

#define BENCH_TEXT_OF(x) #x
#define BENCH_TEXT(x) BENCH_TEXT_OF(x)
#define BENCH_VERSION(major, minor, patch) \
  BENCH_TEXT(major) "." BENCH_TEXT(minor) "." BENCH_TEXT(patch)

static inline const char* bench_compiler(void) {
#if defined(__clang__)
  return "clang-" BENCH_VERSION(__clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return "gcc-" BENCH_VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

/// The monotonic clock, in seconds.
static inline double bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Processor time of this process, in seconds: time taken by other processes does not count.
static inline double bench_cpu_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// The peak resident memory of this program, in KiB; 0 if the kernel does not report it.
static inline long bench_rss_kib(void) {
  FILE* status = fopen("/proc/self/status", "r");
  if (!status) return 0;
  char line[256];
  long kib = 0;
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  fclose(status);
  return kib;
}

static inline int bench_number(const struct bench_run* run, const char* name, const char* text,
                               int max) {
  char* end;
  const long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 1 || value > max) {
    fprintf(stderr, "%s/%s: %s must be a number from 1 to %d, not '%s'\n", run->problem,
            run->library, name, max, text);
    exit(2);
  }
  return (int)value;
}

/// Reads `<workers> <n>`, or ends the program with a sentence and status 2.
static inline struct bench_run bench_arguments(int argc, char** argv, const char* problem,
                                               const char* library, int n_max) {
  struct bench_run run = {problem, library, 0, 0};
  if (argc != 3) {
    fprintf(stderr, "%s/%s: give two arguments, <workers> <n>\n", problem, library);
    exit(2);
  }
  run.workers = bench_number(&run, "workers", argv[1], 1024);
  run.n = bench_number(&run, "n", argv[2], n_max);
  return run;
}

/// Prints the line if `found` is the known answer, or ends the program with a sentence and
/// status 1.
static inline void bench_report(const struct bench_run* run, const struct bench_known* known,
                                uint64_t found, double seconds) {
  if (found != known->answer) {
    fprintf(stderr, "%s/%s: wrong answer for n = %d: %" PRIu64 " instead of %" PRIu64 "\n",
            run->problem, run->library, run->n, found, known->answer);
    exit(1);
  }
  printf("%s,%s,%s,%d,%d,%.9f,%" PRIu64 ",%.3f,%ld\n", run->problem, run->library, bench_compiler(),
         run->workers, run->n, seconds, known->tasks, seconds * 1e9 / (double)known->tasks,
         bench_rss_kib());
}

#endif
