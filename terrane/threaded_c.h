/* SPDX-License-Identifier: Apache-2.0
 * threaded_c.h: the words and operations of Threaded-C, for the C that its compiler writes.
 *
 * What the compiler leaves as the user wrote it means here what the language says: `PUT_SYNC(v, p,
 * READY)` is a macro over the C ABI. A handle (T *GLOBAL) is a C pointer that is never followed:
 * its bits are the place's processor and address, so that C's own arithmetic on it is the
 * language's, and a handle of processor 0 is the plain address.
 *
 * Source  spec: language sections 4 to 6; 001_b2fb519ce5769918.txt section 2.
 */
#ifndef TERRANE_THREADED_C_H
#define TERRANE_THREADED_C_H

#include "terrane/terrane.h"
#if __has_include("terrane/terrane_node_data.h")
#include "terrane/terrane_node_data.h"
#else
#define TERRANE_NODE_DATA
#define TERRANE_NODE_VARIABLE(x) (x)
#endif

/* ---- words ---- */

typedef terrane_slot_ref SPTR;
#define GLOBAL
#define GLOBAL_VAR
#define GLOBAL_NULL ((void*)0)
#define NODE_ID ((int)terrane_here->number)
#define NUM_NODES ((int)terrane_processors())
#define NUM_SMP ((int)terrane_nodes())
#define TERMINATE return TERRANE_DONE
#define END_FIBER return TERRANE_WAIT

/* A threaded function as a value: its description, and the types of its arguments. */
typedef struct terrane_threaded {
  terrane_function function;
  const char* arguments;
} terrane_threaded;
typedef const terrane_threaded* TFUNC;

/* ---- slots ---- */

#define TERRANE_SLOT(frame, slot) terrane_ref((const terrane_frame*)(frame), &(frame)->slot)
#define TO_SPTR(slot) (slot)

TERRANE_HOT void terrane_slot_set(terrane_slot* slot, int32_t count, int32_t reset,
                                  const terrane_fiber* fiber) {
  slot->count = count;
  slot->reset = reset;
  slot->fiber = fiber;
}
TERRANE_HOT void terrane_slot_unarmed(terrane_slot* slot, const terrane_fiber* fiber) {
  terrane_slot_set(slot, TERRANE_UNARMED, 0, fiber);
}
#define INIT_SYNC(slot, count, reset) terrane_slot_set(slot, count, reset, (slot)->fiber)
#define INCR_SYNC(slot, more) ((void)((slot)->count += (more)))
#define BIND_SLOT(slot, fiber, count, reset) terrane_slot_set(slot, count, reset, fiber)

#define SYNC(slot) terrane_signal(slot)

/* ---- tokens ---- */

/* Arguments into a token, or beside it where they are too many. */
#define TERRANE_PUSH(function, arguments)                                                   \
  do {                                                                                      \
    if (sizeof(arguments) <= TERRANE_TOKEN_ARGS)                                            \
      memcpy(terrane_token_push(terrane_here, function), &(arguments), sizeof(arguments));  \
    else                                                                                    \
      terrane_token_push_spilled(terrane_here, function, &(arguments));                     \
  } while (0)

/* ---- places ---- */

#define TERRANE_C_GLOBAL(handle) ((terrane_global)(uintptr_t)(handle))
#define TO_GLOBAL(pointer) \
  ((__typeof__(&*(pointer)))(uintptr_t)terrane_to_global((const void*)(pointer)))
#define TO_LOCAL(handle) ((__typeof__(handle))terrane_to_local(TERRANE_C_GLOBAL(handle)))
#define LOCAL_ONLY(pointer) (pointer)
#define OWNER_OF(handle) ((int)terrane_owner_of(TERRANE_C_GLOBAL(handle)))
#define NODE_OF(handle) ((int)terrane_node_of(terrane_owner_of(TERRANE_C_GLOBAL(handle))))
#define IS_LOCAL(handle) (NODE_OF(handle) == (int)terrane_node_of(terrane_here->number))

/* ---- split-phase operations ---- */

#define PUT_SYNC(value, to, done)                                               \
  do {                                                                          \
    const __typeof__(*(to)) terrane_value = (value);                            \
    terrane_put(&terrane_value, sizeof terrane_value, TERRANE_C_GLOBAL(to), done); \
  } while (0)
#define GET_SYNC(from, to, done) \
  terrane_get(TERRANE_C_GLOBAL(from), sizeof *(from), TERRANE_C_GLOBAL(to), done)
#define BLKMOV_SYNC(from, to, bytes, done) \
  terrane_block_move(TERRANE_C_GLOBAL(from), TERRANE_C_GLOBAL(to), bytes, done)

#endif /* TERRANE_THREADED_C_H */
