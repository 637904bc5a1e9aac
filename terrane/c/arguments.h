/* SPDX-License-Identifier: Apache-2.0
 * arguments.h: queues of arguments of a fiber, filled from anywhere; a slot hears of each
 * set that is complete. The C ABI of Threaded-C's fibers with arguments, APTR and SEND.
 *
 * Invariants  A queue is emptied in the order of arrival, a set at a time; the next complete set is
 *             signalled once the one before has been taken. Sets are taken by the processor that
 *             made the queues.
 * Source      [EARTH-SMP §7] (the prototype); docs/threaded-c-rules.md §4.
 */
#ifndef TERRANE_C_ARGUMENTS_H
#define TERRANE_C_ARGUMENTS_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrane_arguments {
  terrane_slot_ref object;
} terrane_arguments;

#define TERRANE_ARGUMENTS_MAX 1024

void terrane_arguments_new(terrane_arguments* made, uint32_t queues, terrane_slot_ref complete);
void terrane_arguments_free(terrane_arguments freed);
/* One argument's queue, from anywhere: the name of the object, the queue in place of a slot. */
typedef uint64_t terrane_argument_ref;
TERRANE_HOT terrane_argument_ref terrane_argument(terrane_arguments of, uint32_t queue) {
  return of.object | (terrane_slot_ref)queue << 16;
}
/* SEND: the bytes are copied before this returns. */
void terrane_argument_send(terrane_argument_ref to, const void* value, size_t bytes);
/* The next of a queue, in a fiber that `complete` has enabled; those of one set by rising number.
 * R-204 when there is no complete set: the fiber was enabled by signals alone. */
void terrane_argument_take(terrane_arguments from, uint32_t queue, void* to, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_ARGUMENTS_H */
