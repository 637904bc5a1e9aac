// SPDX-License-Identifier: Apache-2.0
// figure.h: shared by all programs about messages: arguments, data, printed line.
//
// Contract    `program <figure> <bytes> <messages>`, the two processes on different processors:
//               one_way    one message under way at a time, to and fro; an even number of messages
//               parked     the same, but each side is busy for message_pause_s before it sends, so
//                          that the other has gone to sleep; the pauses do not count
//               bandwidth  message_window messages at a time one way, from one place to one place
//               rate       messages one way, one after the other, as fast as possible
//             A first pass of message_checked messages fills and compares every byte. Then the
//             clock starts, and the first word of each message identifies it. If several messages
//             of one place are under way, the last one is compared whole. The printed line is
//             messages,library,compiler,figure,bytes,messages,seconds,ns_each
//             A wrong message gives a sentence and exit code 1, bad arguments a sentence and 2.
// Language    C11 with -D_GNU_SOURCE, and C++20.
#ifndef TERRANE_BENCH_MESSAGES_FIGURE_H
#define TERRANE_BENCH_MESSAGES_FIGURE_H

#include <sched.h>
#include <string.h>

#include "bench/report.h"

enum {
  message_window = 8,
  message_checked = 200,
  message_bytes_max = 1 << 20,
};

static const double message_pause_s = 200e-6;

struct message_figure {
  const char* library;
  const char* name;
  int bytes;
  int messages;
};

static inline int message_is(const struct message_figure* figure, const char* name) {
  return strcmp(figure->name, name) == 0;
}

/// known: the figures that this program can measure, null at the end.
static inline struct message_figure message_arguments(int argc, char** argv, const char* library,
                                                      const char* const* known) {
  struct message_figure figure = {library, argc > 1 ? argv[1] : "", 0, 0};
  if (argc != 4) {
    fprintf(stderr, "messages/%s: give three arguments, <figure> <bytes> <messages>\n", library);
    exit(2);
  }
  while (*known && !message_is(&figure, *known)) known++;
  if (!*known) {
    fprintf(stderr, "messages/%s: does not measure '%s'\n", library, figure.name);
    exit(2);
  }
  const struct bench_run about = {"messages", library, 2, 0};
  figure.bytes = bench_number(&about, "bytes", argv[2], message_bytes_max);
  figure.messages = bench_number(&about, "messages", argv[3], 1000000000);
  if (figure.bytes % 8 != 0 || figure.messages % (2 * message_window) != 0) {
    fprintf(stderr, "messages/%s: bytes must be a multiple of 8, messages of %d\n", library,
            2 * message_window);
    exit(2);
  }
  return figure;
}

static inline void message_pause(void) {
  for (const double until = bench_now() + message_pause_s; bench_now() < until;) {}
}

/// Pins this thread to the allowed processor number `which`.
static inline void message_pin(int which) {
  cpu_set_t allowed, one;
  CPU_ZERO(&allowed);
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &allowed) && which-- == 0) CPU_SET(i, &one);
  if (CPU_COUNT(&one) == 1 && sched_setaffinity(0, sizeof one, &one) == 0) return;
  fprintf(stderr, "messages: needs two processors, and leave to use them\n");
  exit(1);
}

static inline unsigned char message_byte(uint64_t number, size_t at) {
  return (unsigned char)(number * 31 + at * 7 + (at >> 8));
}

/// Writes the number of a message into its first word. The other bytes are derived from it.
static inline void message_number(unsigned char* data, uint64_t number) {
  memcpy(data, &number, sizeof number);
}
static inline void message_fill(unsigned char* data, int bytes, uint64_t number) {
  message_number(data, number);
  for (size_t at = 8; at < (size_t)bytes; at++) data[at] = message_byte(number, at);
}

static inline void message_wrong(const char* library, uint64_t number, size_t at) {
  fprintf(stderr, "messages/%s: message %" PRIu64 " is wrong at byte %zu\n", library, number, at);
  exit(1);
}
static inline void message_check_number(const char* library, const unsigned char* data,
                                        uint64_t number) {
  uint64_t found;
  memcpy(&found, data, sizeof found);
  if (__builtin_expect(found != number, 0)) message_wrong(library, number, 0);
}
static inline void message_check(const char* library, const unsigned char* data, int bytes,
                                 uint64_t number) {
  message_check_number(library, data, number);
  for (size_t at = 8; at < (size_t)bytes; at++)
    if (data[at] != message_byte(number, at)) message_wrong(library, number, at);
}

static inline void message_report(const struct message_figure* figure, double seconds) {
  printf("messages,%s,%s,%s,%d,%d,%.9f,%.3f\n", figure->library, bench_compiler(), figure->name,
         figure->bytes, figure->messages, seconds, seconds * 1e9 / figure->messages);
}

#endif
