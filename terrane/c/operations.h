/* SPDX-License-Identifier: Apache-2.0
 * operations.h: the second half of the C ABI: split-phase operations on data of any processor.
 *
 * Invariants  Only the owner touches its data. Every operation returns at once; the data is there
 *             before `done` is signalled. Two operations of one processor to one destination keep
 *             their order. Sizes are in bytes.
 * Source      docs/threaded-c-rules.md §5, §6; [EARTH-SMP §2].
 */
#ifndef TERRANE_C_OPERATIONS_H
#define TERRANE_C_OPERATIONS_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- outside a run ---- */

/* The value of terrane_here in a thread that is no processor: an address at which no program has
 * memory, so that an operation there faults and is reported (core/no_processor.cpp). */
#define TERRANE_NO_PROCESSOR ((terrane_processor*)(uintptr_t)0xffff900000000000u)
TERRANE_HOT bool terrane_is_processor(void) { return (intptr_t)terrane_here > 0; }

/* ---- places ---- */

TERRANE_HOT terrane_global terrane_to_global(const void* here) {
  return terrane_place_on(terrane_here->number, here);
}
/* TO_LOCAL. R-221 if the place is on another node. NULL for 0. */
void* terrane_to_local(terrane_global place);

/* ---- split-phase operations ---- */

void terrane_put_far(const void* value, size_t bytes, terrane_global to, terrane_slot_ref done);
TERRANE_HOT void terrane_put(const void* value, size_t bytes, terrane_global to,
                             terrane_slot_ref done) {
  terrane_processor* here = terrane_here;
  terrane_frame* frame = terrane_frame_at(here, done);
  if (TERRANE_UNLIKELY(!terrane_is_live_here(here, frame, done) ||
                       terrane_owner_of(to) != here->number)) {
    terrane_put_far(value, bytes, to, done);
    return;
  }
  memcpy(terrane_address_in(to), value, bytes);
  terrane_slot_decrement(here, frame, done);
}
void terrane_get(terrane_global from, size_t bytes, terrane_global to, terrane_slot_ref done);
/* from and to may both be remote; the source must not change until `done`. */
void terrane_block_move(terrane_global from, terrane_global to, size_t bytes,
                        terrane_slot_ref done);
typedef struct terrane_stride {
  ptrdiff_t from, to; /* bytes from one element to the next */
  uint32_t count, element_bytes;
} terrane_stride;
void terrane_put_strided(const void* from, terrane_global to, terrane_stride stride,
                         terrane_slot_ref done);
void terrane_get_strided(terrane_global from, terrane_global to, terrane_stride stride,
                         terrane_slot_ref done);
/* Adds at the owner of the long `at`; the previous value goes to `old` (0: nowhere). */
void terrane_atomic_add(int64_t value, terrane_global at, terrane_global old,
                        terrane_slot_ref done);
/* Allocates zeroed memory on that processor; its place goes to the terrane_global at `result`. */
void terrane_allocate(uint32_t processor, size_t bytes, terrane_global result,
                      terrane_slot_ref done);
/* `place`: a block of terrane_allocate, or of malloc at its owner. */
void terrane_release(terrane_global place);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_OPERATIONS_H */
