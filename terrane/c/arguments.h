/* SPDX-License-Identifier: Apache-2.0
 * arguments.h: queues of arguments of a fiber, which any processor may fill; a slot is signalled
 * for each complete set. The C ABI of Threaded-C's fibers with arguments, APTR and SEND.
 *
 * Invariants  A queue is emptied in the order of arrival, one set at a time. The next complete set
 *             is signalled once the previous one has been taken. Only the processor that made the
 *             queues takes sets.
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
/* Names the queue of one argument on any processor: the object's name, with the number of the queue
 * in the bits of the slot. */
typedef uint64_t terrane_argument_ref;
TERRANE_HOT terrane_argument_ref terrane_argument(terrane_arguments of, uint32_t queue) {
  return of.object | (terrane_slot_ref)queue << 16;
}
/* SEND: the bytes are copied before this returns. */
void terrane_argument_send(terrane_argument_ref to, const void* value, size_t bytes);
/* Takes the next value of a queue, in a fiber that `complete` has enabled. The values of one set
 * are taken by rising queue number. R-204 if there is no complete set: then signals alone enabled
 * the fiber. */
void terrane_argument_take(terrane_arguments from, uint32_t queue, void* to, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_ARGUMENTS_H */
