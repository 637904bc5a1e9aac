/* SPDX-License-Identifier: Apache-2.0
 * objects.h: locks, semaphores, I- and M-structures, channels, reductions, barriers: the C
 * ABI of the language's library.
 *
 * Every object lives on the processor that made it and is asked by messages. A handle is a small
 * value that may be sent in tokens and means the same on every node. Each call returns at once; a
 * slot is signalled when what it asked for has happened. The slot may be 0: nothing is signalled.
 *
 * Invariants  Requests are served in the order in which they reach the owner; those of one
 *             processor in the order in which they were issued. A request for an object that was
 *             freed, or never made, is R-261. Freeing one while somebody waits for it is R-265.
 *             Objects count neither as tokens nor as fibers.
 * Source      docs/objects.md; [EARTH-SMP §2, §6].
 */
#ifndef TERRANE_C_OBJECTS_H
#define TERRANE_C_OBJECTS_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- lock: held by one requester at a time, in the order of requests ---- */

typedef struct terrane_lock {
  terrane_slot_ref object;
} terrane_lock;

void terrane_lock_new(terrane_lock* lock, terrane_slot_ref ready);
/* `got` is signalled once the lock is held for the requester. */
void terrane_lock_take(terrane_lock lock, terrane_slot_ref got);
/* May be called by any processor, on behalf of the holder. R-264 if nobody holds the lock. */
void terrane_lock_give(terrane_lock lock);
void terrane_lock_free(terrane_lock lock);

/* ---- semaphore: a count of permits ---- */

typedef struct terrane_semaphore {
  terrane_slot_ref object;
} terrane_semaphore;

void terrane_semaphore_new(terrane_semaphore* semaphore, int permits, terrane_slot_ref ready);
void terrane_semaphore_take(terrane_semaphore semaphore, terrane_slot_ref got);
void terrane_semaphore_give(terrane_semaphore semaphore);
void terrane_semaphore_free(terrane_semaphore semaphore);

/* ---- I-structure: elements that are written once; a read may come before the write ---- */

typedef struct terrane_istruct {
  terrane_slot_ref object;
  uint32_t elements, element_bytes;
} terrane_istruct;

void terrane_istruct_new(terrane_istruct* made, uint32_t elements, uint32_t element_bytes,
                         terrane_slot_ref ready);
/* Once the element has a value, it is written to `to`, then `done` is signalled. A node keeps what
 * it has read, block by block, which is correct because a written element never changes. */
void terrane_istruct_read(terrane_istruct from, uint32_t index, terrane_global to,
                          terrane_slot_ref done);
/* R-260 if the element has a value already. */
void terrane_istruct_write(terrane_istruct to, uint32_t index, const void* value);
void terrane_istruct_free(terrane_istruct freed);

/* ---- M-structure: elements that are full or empty; taking one empties it ---- */

typedef struct terrane_mstruct {
  terrane_slot_ref object;
  uint32_t elements, element_bytes;
} terrane_mstruct;

/* All elements begin empty. */
void terrane_mstruct_new(terrane_mstruct* made, uint32_t elements, uint32_t element_bytes,
                         terrane_slot_ref ready);
/* Once the element is full, its value is moved to `to`; then `done` is signalled. */
void terrane_mstruct_take(terrane_mstruct from, uint32_t index, terrane_global to,
                          terrane_slot_ref done);
/* R-260 if the element is full. */
void terrane_mstruct_put(terrane_mstruct to, uint32_t index, const void* value);
void terrane_mstruct_free(terrane_mstruct freed);

/* ---- channel: items of any size, in order, through a buffer for `capacity` items ---- */

typedef struct terrane_channel {
  terrane_slot_ref object;
} terrane_channel;

/* capacity 0: a send is complete when its item is received. */
void terrane_channel_new(terrane_channel* channel, int capacity, terrane_slot_ref ready);
/* The bytes are copied before this returns; `sent` is signalled when the item has found room. */
void terrane_channel_send(terrane_channel channel, const void* item, int bytes,
                          terrane_slot_ref sent);
/* The next item goes to `to`, its bytes as an int32_t to `length` (0: nowhere), both on one
 * processor; then `done` is signalled. R-263 if it has more than `most` bytes. */
void terrane_channel_receive(terrane_channel channel, terrane_global to, int most,
                             terrane_global length, terrane_slot_ref done);
/* Frees the channel and the items that wait in its buffer. */
void terrane_channel_free(terrane_channel channel);

/* Two channels, one each way between the ends a and b. */
typedef struct terrane_bichannel {
  terrane_channel a2b, b2a;
} terrane_bichannel;

void terrane_bichannel_new(terrane_bichannel* channels, int capacity, terrane_slot_ref ready);
void terrane_bichannel_free(terrane_bichannel channels);

/* ---- reduction: combines every n values into one, repeatedly ---- */

typedef enum terrane_reduction_operation {
  TERRANE_SUM,
  TERRANE_MINIMUM,
  TERRANE_MAXIMUM,
  TERRANE_PRODUCT
} terrane_reduction_operation;
typedef enum terrane_reduction_type {
  TERRANE_INT32,
  TERRANE_INT64,
  TERRANE_DOUBLE
} terrane_reduction_type;
/* Combines *into and *value into one value, in *into. Must be associative and commutative. */
typedef void (*terrane_reduction_function)(void* into, const void* value);

typedef struct terrane_reduction {
  terrane_slot_ref object;
  int64_t function; /* its place in the executable; 0: `operation` and `type` apply */
  uint32_t bytes;   /* of a value */
  uint16_t operation, type;
} terrane_reduction;

/* At every n-th value the result goes to `result`, then `done` is signalled. */
void terrane_reduction_new(terrane_reduction* made, terrane_reduction_operation operation,
                           terrane_reduction_type type, int n, terrane_global result,
                           terrane_slot_ref done);
/* The same with a function of the program, for values of `bytes` bytes. */
void terrane_reduction_new_function(terrane_reduction* made, terrane_reduction_function function,
                                    int bytes, int n, terrane_global result, terrane_slot_ref done);
/* Values of one node are combined there while an earlier one is under way. */
void terrane_reduction_put(terrane_reduction to, const void* value);
void terrane_reduction_free(terrane_reduction freed);

/* ---- barrier: n callers wait for one another, repeatedly ---- */

typedef struct terrane_barrier {
  terrane_slot_ref object;
} terrane_barrier;

void terrane_barrier_new(terrane_barrier* barrier, int n, terrane_slot_ref ready);
/* `go` is signalled once n callers have called this; the next n calls are the next round. */
void terrane_barrier_wait(terrane_barrier barrier, terrane_slot_ref go);
void terrane_barrier_free(terrane_barrier barrier);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_OBJECTS_H */
