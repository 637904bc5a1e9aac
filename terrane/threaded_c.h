/* SPDX-License-Identifier: Apache-2.0
 * threaded_c.h: the words and operations of Threaded-C, for the C that its compiler writes.
 *
 * The compiler leaves many words as the user wrote them; here they get the meaning of the language:
 * `PUT_SYNC(v, p, READY)` is a macro over the C ABI. A handle (T *GLOBAL) is a C pointer that is
 * never dereferenced. Its bits are the place's processor and address, so that C's arithmetic on it
 * is the language's, and a handle of processor 0 is the plain address.
 *
 * Source  docs/threaded-c-rules.md §4-§6; [EARTH-SMP §2].
 */
#ifndef TERRANE_THREADED_C_H
#define TERRANE_THREADED_C_H

#include "terrane/c/arguments.h"
#include "terrane/c/mailbox.h"
#include "terrane/c/node_data.h"
#include "terrane/c/source_place.h"
#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- words ---- */

typedef terrane_slot_ref SPTR;
#define GLOBAL
#define GLOBAL_VAR
#define GLOBAL_NULL ((void*)0)
#define NODE_ID ((int)terrane_here->number)
#define TC_ARGC terrane_program_arguments()->argc
#define TC_ARGV terrane_program_arguments()->argv
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

/* Makes the function known, because work for it may come from another process. */
#define TERRANE_REGISTER_THREADED(name)                               \
  __attribute__((constructor)) static void name##__registered(void) { \
    terrane_register(&name##__threaded.function);                     \
  }

/* The function value in the form in which it is sent: the same on every node. R-211 if this process
 * has no such function. */
uint64_t terrane_value_entry(TFUNC value);
TFUNC terrane_value_at(uint64_t entry);
/* R-212 if the arguments are not those that the function takes, or there is no function. */
void terrane_require_arguments(TFUNC, const char* types, size_t bytes);
/* R-220 if the places are on different nodes. */
void terrane_require_together(terrane_global, terrane_global);
/* MAIN's arguments; each node has its copy. */
const terrane_root_args* terrane_program_arguments(void);
void terrane_publish_arguments(int argc, char** argv);
/* As terrane_run, but activations that live when the root ends are an error (exit code 122). */
int terrane_run_strictly(int argc, char** argv, const terrane_function* root);
/* Memory for a variable array of a frame: zeroed, freed with the frame. R-240 if there is none. */
void* terrane_frame_block(size_t bytes);
void terrane_frame_unblock(void* block);

/* ---- telling where the program is (c/source_place.h) ---- */

#define TERRANE_AT                                                                    \
  (__extension__({                                                                    \
    static const terrane_source_place terrane_place = {__FILE__, __LINE__, __func__}; \
    &terrane_place;                                                                   \
  }))
/* An expression, as what it stands for is a call to whoever writes it. */
#define TERRANE_DO(at, what) \
  (__extension__({           \
    terrane_doing = (at);    \
    what;                    \
    terrane_doing = 0;       \
    (void)0;                 \
  }))
#define TERRANE_C_PLACED(call) TERRANE_DO(TERRANE_AT, call)
#define TERRANE_DOING(value)                     \
  (__extension__({                               \
    terrane_doing = TERRANE_AT;                  \
    const __typeof__(value) terrane_got = value; \
    terrane_doing = 0;                           \
    terrane_got;                                 \
  }))

void terrane_slot_expired_at(terrane_processor* here, terrane_frame* frame, terrane_slot* slot,
                             const terrane_source_place* at);
TERRANE_HOT void terrane_decrement_at(terrane_processor* here, terrane_frame* frame,
                                      terrane_slot_ref ref, const terrane_source_place* at) {
  terrane_slot* slot = terrane_slot_in(frame, ref);
  if (TERRANE_UNLIKELY(terrane_count_down(slot))) terrane_slot_expired_at(here, frame, slot, at);
}

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
/* Counts that are known only at run time. A count of 0 is used up at once: the slot begins again
 * with its reset, and its fiber is ready. R-206 if a count is below 0 or above INT32_MAX. */
#define TERRANE_COUNTS(count, reset) \
  (TERRANE_LIKELY((uint64_t)(count) - 1 < INT32_MAX && (uint64_t)(reset) <= INT32_MAX))
/* The slot of a fiber, before the initial one: true if the count is 0, so that nothing else makes
 * the fiber ready. `held`: 1 where the initial fiber holds a count. */
TERRANE_COLD bool terrane_slot_fires(terrane_slot* slot, int32_t held, int64_t count, int64_t reset,
                                     const terrane_fiber* fiber);
TERRANE_HOT bool terrane_slot_count(terrane_slot* slot, int32_t held, int64_t count, int64_t reset,
                                    const terrane_fiber* fiber) {
  if (!TERRANE_COUNTS(count, reset)) return terrane_slot_fires(slot, held, count, reset, fiber);
  terrane_slot_set(slot, held + (int32_t)count, (int32_t)reset, fiber);
  return false;
}
void terrane_fiber_ready(terrane_frame* frame, const terrane_fiber* fiber);
/* The same while a fiber runs. */
TERRANE_HOT void terrane_slot_arm(terrane_frame* frame, terrane_slot* slot,
                                  const terrane_fiber* fiber, int64_t count, int64_t reset,
                                  const terrane_source_place* at) {
  if (TERRANE_COUNTS(count, reset))
    terrane_slot_set(slot, (int32_t)count, (int32_t)reset, fiber);
  else
    TERRANE_DO(at, if (terrane_slot_fires(slot, 0, count, reset, fiber))
                       terrane_fiber_ready(frame, fiber));
}
__attribute__((noreturn, cold)) void terrane_no_count(const terrane_slot* slot, int64_t more);
TERRANE_HOT void terrane_slot_grow(terrane_slot* slot, int64_t more,
                                   const terrane_source_place* at) {
  if (TERRANE_UNLIKELY((uint64_t)more > INT32_MAX ||
                       __builtin_add_overflow(slot->count, (int32_t)more, &slot->count)))
    TERRANE_DO(at, terrane_no_count(slot, more));
}
#define INIT_SYNC(frame, slot, count, reset) \
  terrane_slot_arm(&(frame)->terrane_head, slot, (slot)->fiber, count, reset, TERRANE_AT)
#define BIND_SLOT(frame, slot, fiber, count, reset) \
  terrane_slot_arm(&(frame)->terrane_head, slot, fiber, count, reset, TERRANE_AT)
#define INCR_SYNC(frame, slot, more) terrane_slot_grow(slot, more, TERRANE_AT)

/* t[i] of an array of slots. R-207 if there is no such element. */
__attribute__((noreturn, cold)) void terrane_no_slot(int64_t index, size_t elements);
TERRANE_HOT size_t terrane_slot_index(int64_t index, size_t elements,
                                      const terrane_source_place* at) {
  if (TERRANE_UNLIKELY((uint64_t)index >= elements))
    TERRANE_DO(at, terrane_no_slot(index, elements));
  return (size_t)index;
}
#define TERRANE_SLOT_INDEX(index, elements) terrane_slot_index(index, elements, TERRANE_AT)

TERRANE_HOT void terrane_signal_at(terrane_slot_ref slot, const terrane_source_place* at) {
  terrane_processor* here = terrane_here;
  terrane_frame* frame = terrane_frame_at(here, slot);
  if (TERRANE_UNLIKELY(!terrane_is_live_here(here, frame, slot))) {
    TERRANE_DO(at, terrane_signal_far(here, slot));
    return;
  }
  terrane_decrement_at(here, frame, slot, at);
}
#define SYNC(slot) terrane_signal_at(slot, TERRANE_AT)

/* ---- tokens and activations: what is inline is small, as it is compiled for each function ---- */

TERRANE_HOT bool terrane_starts_inline(terrane_processor* here) {
  if (TERRANE_UNLIKELY(here->top < TERRANE_LOAD_RELAXED(&here->stocked) ||
                       terrane_stack_here() <= here->stack_floor))
    return false;
  ++here->inlined;
  return true;
}
/* TOKEN where the inline test fails: something waits to be noticed, or the token is queued. */
TERRANE_COLD void terrane_token_start(terrane_processor* here, const terrane_function* function,
                                      const void* args);
/* As terrane_proceed, after the initial fiber. */
void terrane_go_on(terrane_processor* here, terrane_frame* frame, terrane_step step,
                   const terrane_function* function);
TERRANE_HOT void terrane_proceed_first(terrane_processor* here, terrane_frame* frame,
                                       terrane_step step, const terrane_function* function) {
  if (step != TERRANE_DONE && step != TERRANE_WAIT) {
    ++here->fibers;
    step = ((const terrane_slot*)step)->fiber->code(frame);
  }
  if (TERRANE_LIKELY(step == TERRANE_DONE)) {
    if (function->destroy) function->destroy(frame);
    terrane_frame_free(here, frame, function->frame_class);
  } else if (step != TERRANE_WAIT || here->ready_head != here->ready_tail) {
    terrane_go_on(here, frame, step, function);
  }
}

/* Writes the arguments into a token, or into a block beside it if they are too large. */
#define TERRANE_PUSH(function, arguments)                                        \
  do {                                                                           \
    if (sizeof(arguments) <= TERRANE_TOKEN_ARGS)                                 \
      __builtin_memcpy(terrane_token_push(terrane_here, function), &(arguments), \
                       sizeof(arguments));                                       \
    else                                                                         \
      terrane_token_push_spilled(terrane_here, function, &(arguments));          \
  } while (0)

/* ---- places ---- */

#define TERRANE_C_GLOBAL(handle) ((terrane_global)(uintptr_t)(handle))
#define TO_GLOBAL(pointer) \
  ((__typeof__(&*(pointer)))(uintptr_t)terrane_to_global((const void*)(pointer)))
#define TO_LOCAL(handle) \
  ((__typeof__(handle))TERRANE_DOING(terrane_to_local(TERRANE_C_GLOBAL(handle))))
#define LOCAL_ONLY(pointer) (pointer)
#define OWNER_OF(handle) ((int)terrane_owner_of(TERRANE_C_GLOBAL(handle)))
#define NODE_OF(handle) ((int)terrane_node_of(terrane_owner_of(TERRANE_C_GLOBAL(handle))))
#define IS_LOCAL(handle) (NODE_OF(handle) == (int)terrane_node_of(terrane_here->number))

/* ---- split-phase operations ---- */

TERRANE_HOT void terrane_put_at(const void* value, size_t bytes, terrane_global to,
                                terrane_slot_ref done, const terrane_source_place* at) {
  terrane_processor* here = terrane_here;
  terrane_frame* frame = terrane_frame_at(here, done);
  if (TERRANE_UNLIKELY(!terrane_is_live_here(here, frame, done) ||
                       terrane_owner_of(to) != here->number)) {
    TERRANE_DO(at, terrane_put_far(value, bytes, to, done));
    return;
  }
  memcpy(terrane_address_in(to), value, bytes);
  terrane_decrement_at(here, frame, done, at);
}
#define PUT_SYNC(value, to, done)                                                                 \
  (__extension__({                                                                                \
    const __typeof__(*(to)) terrane_value = (value);                                              \
    terrane_put_at(&terrane_value, sizeof terrane_value, TERRANE_C_GLOBAL(to), done, TERRANE_AT); \
  }))
#define GET_SYNC(from, to, done) \
  TERRANE_DO(TERRANE_AT,         \
             terrane_get(TERRANE_C_GLOBAL(from), sizeof *(from), TERRANE_C_GLOBAL(to), done))
#define BLKMOV_SYNC(from, to, bytes, done) \
  TERRANE_DO(TERRANE_AT,                   \
             terrane_block_move(TERRANE_C_GLOBAL(from), TERRANE_C_GLOBAL(to), bytes, done))
#define TERRANE_STRIDE(from_step, to_step, count, bytes)                             \
  ((terrane_stride){(ptrdiff_t)(from_step), (ptrdiff_t)(to_step), (uint32_t)(count), \
                    (uint32_t)(bytes)})
#define PUT_SYNC_V(from, from_step, to, to_step, count, bytes, done) \
  TERRANE_C_PLACED(terrane_put_strided(from, TERRANE_C_GLOBAL(to),   \
                                       TERRANE_STRIDE(from_step, to_step, count, bytes), done))
#define GET_SYNC_V(from, from_step, to, to_step, count, bytes, done)                 \
  TERRANE_C_PLACED(terrane_get_strided(TERRANE_C_GLOBAL(from), TERRANE_C_GLOBAL(to), \
                                       TERRANE_STRIDE(from_step, to_step, count, bytes), done))
#define ATOMIC_ADD_SYNC(value, at, old, done) \
  TERRANE_C_PLACED(terrane_atomic_add(value, TERRANE_C_GLOBAL(at), TERRANE_C_GLOBAL(old), done))
#define MALLOC_SYNC(node, bytes, to, done) \
  TERRANE_C_PLACED(terrane_allocate((uint32_t)(node), bytes, TERRANE_C_GLOBAL(to), done))
#define FREE(handle) TERRANE_C_PLACED(terrane_release(TERRANE_C_GLOBAL(handle)))

/* p - q, p < q: of places on one node. */
#define TERRANE_TOGETHER(p, operation, q)                                          \
  ({                                                                               \
    const __typeof__(p) terrane_p = (p);                                           \
    const __typeof__(q) terrane_q = (q);                                           \
    TERRANE_DO(TERRANE_AT, terrane_require_together(TERRANE_C_GLOBAL(terrane_p),   \
                                                    TERRANE_C_GLOBAL(terrane_q))); \
    terrane_p operation terrane_q;                                                 \
  })

/* ---- mailboxes ---- */

#define INIT_MAILBOX(mailbox, arrived) terrane_mailbox_new(mailbox, arrived)
#define DROP_IN(mailbox, item, bytes) \
  TERRANE_DO(TERRANE_AT, terrane_mailbox_drop(TERRANE_C_GLOBAL(mailbox), item, bytes))
#define TERRANE_RETRIEVE_ITEM(mailbox, to, room)                             \
  (__extension__({                                                           \
    void* const terrane_to = (to);                                           \
    (int)TERRANE_DOING(terrane_mailbox_retrieve(mailbox, terrane_to, room)); \
  }))
/* Bytes from `terrane_to`, which lies in the array, to its end. */
#define TERRANE_ROOM_IN(array)               \
  ((char*)terrane_to > (char*)(&(array) + 1) \
       ? 0                                   \
       : (size_t)((char*)(&(array) + 1) - (char*)terrane_to))
/* If the target is named by a pointer, the compiler knows no more about it than C does. */
#define RETRIEVE_ITEM(mailbox, to) \
  ((int)TERRANE_DOING(terrane_mailbox_retrieve(mailbox, to, __builtin_object_size(to, 1))))
#define RETRIEVE_ITEM_ADDR(mailbox, to) \
  ((int)TERRANE_DOING(terrane_mailbox_retrieve_address(mailbox, (void**)(to))))
#define ITEMS(mailbox) ((int)TERRANE_DOING(terrane_mailbox_items(mailbox)))
#define FREE_MAILBOX(mailbox) TERRANE_C_PLACED(terrane_mailbox_free(mailbox))

/* ---- fibers with arguments ---- */

#define APTR(type) __typeof__(type)*
#define TO_APTR(frame, fiber, queue, type) \
  ((__typeof__(type)*)(uintptr_t)terrane_argument((frame)->terrane_arguments_##fiber, queue))
#define SEND(value, to)                                                                  \
  (__extension__({                                                                       \
    const __typeof__(*(to)) terrane_value = (value);                                     \
    TERRANE_DO(TERRANE_AT, terrane_argument_send((terrane_argument_ref)(uintptr_t)(to),  \
                                                 &terrane_value, sizeof terrane_value)); \
  }))

/* ---- threaded functions as values: the arguments are checked when they start ---- */

#define TERRANE_START_VALUE(start, value, type, types, ...)                               \
  (__extension__({                                                                        \
    const TFUNC terrane_value = (value);                                                  \
    const type terrane_arguments = {__VA_ARGS__};                                         \
    TERRANE_DO(TERRANE_AT,                                                                \
               terrane_require_arguments(terrane_value, types, sizeof terrane_arguments); \
               start);                                                                    \
  }))
#define TERRANE_INVOKE_VALUE(node, value, type, types, ...)                                        \
  TERRANE_START_VALUE(                                                                             \
      terrane_invoke((uint32_t)(node), &terrane_value->function, &terrane_arguments), value, type, \
      types, ##__VA_ARGS__)
#define TERRANE_TOKEN_VALUE(value, type, types, ...)                                          \
  TERRANE_START_VALUE(TERRANE_PUSH(&terrane_value->function, terrane_arguments), value, type, \
                      types, ##__VA_ARGS__)

#include "terrane/c/threaded_c_words.h"

/* The cost of a fiber without a CHARGE, in a file that declares OPERATIONs. */
static const terrane_operation terrane_no_work __attribute__((unused)) = {"none", 0};

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_THREADED_C_H */
