/* SPDX-License-Identifier: Apache-2.0
 * terrane.h: the C ABI: frames, slots, tokens, split-phase operations; the hot path, inline.
 *
 * Everything else uses this header: the C++ API (terrane.hpp), the runtime (core/) and the code
 * that a compiler emits. Read it from top to bottom: names (c/names.h), fibers and slots,
 * frames, signals and replies, tokens, activations (c/activations.h), and at the end the operations
 * that are not hot.
 *
 * A threaded function in C is a struct that begins with a terrane_frame, one C function per fiber,
 * and one that makes the frame and runs the initial fiber, such as `activate` in
 * bench/fib/terrane_c.c. An activation that answers at once and ends needs no frame: then
 * `activate` makes none.
 *
 * Invariants  Only the processor that made a frame touches it: everything inline here is plain
 *             loads and stores. The exception is `stocked`, which any thread may raise (see below).
 * Source      [EARTH-LB §2]; [EARTH-SMP §2, §4].
 */
#ifndef TERRANE_TERRANE_H
#define TERRANE_TERRANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "terrane/c/atomic.h"
#include "terrane/c/names.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_SLOT_REACH 16384 /* slots lie in the first 16 KiB of their frame */

typedef struct terrane_processor terrane_processor;
typedef struct terrane_function terrane_function;

/* ---- frames, fibers, slots ---- */

/* The head of every activation; parameters, locals and slots follow. It lies in its owner's arena,
 * at a multiple of 64 bytes, and never moves. While the frame is free, `function` links the free
 * list, with its lowest bit set. */
typedef struct terrane_frame {
  terrane_slot_ref name; /* generation, processor, place; the slot bits are zero */
  const terrane_function* function;
} terrane_frame;

/* What a fiber returns: TERRANE_DONE ends the activation (TERMINATE), TERRANE_WAIT leaves it
 * waiting for its slots, terrane_await(slot) waits for that slot, or continues at once if no signal
 * is outstanding. */
typedef uintptr_t terrane_step;
#define TERRANE_DONE ((terrane_step)0)
#define TERRANE_WAIT ((terrane_step)1)

#define TERRANE_PRIORITY_DEFAULT 4 /* 0 is served first, 7 last */

typedef struct terrane_fiber {
  terrane_step (*code)(terrane_frame*);
  const terrane_function* function;
  const char* name;
  const char* file; /* null: not known */
  uint32_t line;
  uint8_t priority;
  bool
      join; /* its slots are joins: they reset to 1, and keep their index where others keep reset */
} terrane_fiber;

/* Counted synchronisation: a signal decrements count; at zero the fiber is made ready and count is
 * set to reset. A slot has 16 bytes, at a multiple of 16 within the frame (the unit of names). */
typedef struct terrane_slot {
  TERRANE_ALIGNED(16) int32_t count;
  union {
    int32_t reset;  /* 0: one-shot */
    uint32_t index; /* of a join: terrane_slot_bits, and TERRANE_AWAITED */
  };
  const terrane_fiber* fiber;
} terrane_slot;

#define TERRANE_UNARMED (INT32_MIN + 1) /* the count of a slot that waits for its INIT_SYNC */

struct terrane_function {
  const char* name;
  const char* file;
  uint32_t line;
  uint32_t frame_class; /* TERRANE_FRAME_CLASS(frame_bytes) */
  uint32_t frame_bytes; /* includes the head */
  uint32_t args_bytes;  /* of a token */
  /* Activates the function; reads the arguments before it pushes a token. */
  void (*run)(terrane_processor*, const void* args);
  /* Called when the activation ends; may be null. For a program's root: terrane_root_ended. */
  void (*destroy)(terrane_frame*);
  /* Its fibers, null at the end, so that reports find its slots. C++ registers them instead. */
  const terrane_fiber* const* fibers;
  uint8_t traits; /* of its frames and tokens: 0 for a program's own (core/token.hpp) */
};

/* Before any processor runs: makes `function` known, so that other nodes may invoke it here. C++
 * does so by itself; in C, at file scope: TERRANE_REGISTER(fib_function) */
void terrane_register(const terrane_function* function);
#define TERRANE_REGISTER(function)                                          \
  __attribute__((constructor)) static void function##_is_registered(void) { \
    terrane_register(&(function));                                          \
  }

/* ---- the processor, as far as the inline code below touches it ---- */

/* Work that has no processor yet: one cache line. Arguments beyond 56 bytes go to a block that the
 * token owns. */
#define TERRANE_TOKEN_ARGS 56
typedef struct terrane_token {
  TERRANE_ALIGNED(64) const terrane_function* function;
  TERRANE_ALIGNED(8) unsigned char args[TERRANE_TOKEN_ARGS];
} terrane_token;

/* A ready fiber. It holds the frame's name, so that a fiber whose frame has ended is detected. */
typedef struct terrane_ready {
  terrane_slot_ref frame;
  const terrane_fiber* fiber;
} terrane_ready;

/* Frames come in multiples of 64 bytes up to 1 KiB, then in powers of two up to 1 MiB. */
#define TERRANE_FRAME_CLASSES 27
#define TERRANE_FRAME_BYTES_MAX (1u << 20)
#define TERRANE_FRAME_CLASS(bytes)             \
  ((uint16_t)((bytes) <= 1024u                 \
                  ? ((bytes) + 63u) / 64u - 1u \
                  : 15u + (32u - (uint32_t)__builtin_clz((uint32_t)(((bytes) - 1u) >> 10)))))

struct terrane_processor {
  /* The token stack, newest at top. Only the owner touches top and bottom, so that compilers may
   * keep them in registers; what others see is `shown` (core/token_stack.hpp). */
  terrane_token* top;
  /* At or above this the stack holds enough: TOKEN runs the child at once. Any thread may raise it
   * to the top of memory, to be noticed; only the owner lowers it (processor::heed). */
  terrane_token* stocked;
  terrane_token* push_limit;  /* a push here has something to do first: grow, or report a surplus */
  terrane_token* spawn_limit; /* of futures: at or above, slow path; any thread may clear it */
  terrane_token* bottom;      /* the oldest token that is still here */
  char* stack_floor;          /* below this address no child runs inline */
  uint64_t inlined;           /* tokens run at once */
  uint64_t queued;            /* tokens pushed */
  uint64_t fibers;            /* fibers run, except the initial ones of inlined tokens */
  /* ready fibers of the default priority: a ring, oldest at head */
  terrane_ready* ready;
  uint32_t ready_head, ready_mask, ready_tail;
  uint32_t number;     /* NODE_ID */
  bool priced;         /* declared work has prices */
  uint32_t events;     /* the classes that are recorded (core/event.hpp) */
  uint32_t signals_to; /* NODE_ID; while each signal is recorded, no processor's number */
  uint32_t shown;      /* how many tokens the stack holds: a hint, for any thread */
  /* Distances (c/node_data.h): from the image of the node variables to this node's copy; from the
   * executable's place in this process to its place in node 0's */
  ptrdiff_t node_data, to_node_0;
  char* node_objects; /* this node's node_local objects */
  terrane_frame* free_frames[TERRANE_FRAME_CLASSES];
};

/* The processor that this thread runs; TERRANE_NO_PROCESSOR in a thread that runs none. In an
 * executable with the static library the offset of this variable from the thread pointer is a
 * constant of the program. TERRANE_SHARED: the program uses the shared library. */
#if (defined(__PIC__) && !defined(__PIE__)) || defined(TERRANE_SHARED)
#define TERRANE_TLS_MODEL "initial-exec"
#else
#define TERRANE_TLS_MODEL "local-exec"
#endif
extern __thread terrane_processor* terrane_here __attribute__((tls_model(TERRANE_TLS_MODEL)));

TERRANE_HOT terrane_processor* terrane_owner_of_frame(const terrane_frame* frame) {
  return (terrane_processor*)((uintptr_t)frame & ~(uintptr_t)(TERRANE_ARENA_BYTES - 1));
}

TERRANE_HOT terrane_frame* terrane_frame_at(terrane_processor* here, terrane_slot_ref name) {
  return (terrane_frame*)((char*)here + terrane_frame_offset(name));
}
TERRANE_HOT terrane_slot* terrane_slot_in(terrane_frame* frame, terrane_slot_ref name) {
  return (terrane_slot*)((char*)frame + terrane_slot_offset(name));
}

/* True if that slot is one of this processor's and its activation is alive. `frame` is
 * terrane_frame_at(here, slot). c/names.h explains why these two comparisons are exact. */
TERRANE_HOT bool terrane_is_live_here(const terrane_processor* here, const terrane_frame* frame,
                                      terrane_slot_ref slot) {
  return (uint16_t)slot == (uint16_t)here->signals_to && (frame->name ^ slot) <= TERRANE_NAME_SLOTS;
}

/* ---- frames: made and freed ---- */

TERRANE_COLD terrane_frame* terrane_frame_refill(terrane_processor* here, uint32_t frame_class);
/* The frame was freed and its generations are used up: it goes to rest; if enough frames rest, one
 * is freed for use, and its names return (core/frame_arena.hpp). */
TERRANE_COLD void terrane_frame_worn(terrane_processor* here, terrane_frame* frame,
                                     uint32_t frame_class);

TERRANE_HOT terrane_frame* terrane_frame_new(terrane_processor* here,
                                             const terrane_function* function,
                                             uint32_t frame_class) {
  terrane_frame* frame = here->free_frames[frame_class];
  if (TERRANE_UNLIKELY(!frame)) frame = terrane_frame_refill(here, frame_class);
  here->free_frames[frame_class] = (terrane_frame*)((uintptr_t)frame->function - 1);
  frame->function = function;
  return frame;
}

TERRANE_HOT void terrane_frame_free(terrane_processor* here, terrane_frame* frame,
                                    uint32_t frame_class) {
  /* every older name is stale from now on */
  if (TERRANE_UNLIKELY(
          __builtin_add_overflow(frame->name, TERRANE_GENERATION_STEP, &frame->name))) {
    terrane_frame_worn(here, frame, frame_class);
    return;
  }
  frame->function = (const terrane_function*)((uintptr_t)here->free_frames[frame_class] + 1);
  here->free_frames[frame_class] = frame;
}

/* ---- signals and replies ---- */

/* The slot's count reached zero or fell below it: makes the slot's fiber ready, or ends the run
 * with R-203/204. */
void terrane_slot_expired(terrane_processor* here, terrane_frame* frame, terrane_slot* slot);
/* The slot is not a live one of this processor: sends a message to its owner, or fails with R-202
 * if it is of this processor and its frame has ended. */
TERRANE_COLD void terrane_signal_far(terrane_processor* here, terrane_slot_ref slot);
TERRANE_COLD void terrane_reply_far(terrane_processor* here, terrane_slot_ref slot, void* to,
                                    const void* value, size_t bytes);

TERRANE_HOT terrane_slot_ref terrane_ref(const terrane_frame* frame, const terrane_slot* slot) {
  return frame->name + terrane_slot_bits((const char*)slot - (const char*)frame);
}

/* One signal less to come. True: the slot fires, or there was one too many. g++ takes five
 * instructions for the comparison; the flags of the subtraction are the same in two. */
TERRANE_HOT bool terrane_count_down(terrane_slot* slot) {
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  bool expired;
  __asm__("subl $1, %0" : "+m"(slot->count), "=@ccle"(expired));
  return expired;
#else
  return --slot->count <= 0;
#endif
}
TERRANE_HOT void terrane_slot_decrement(terrane_processor* here, terrane_frame* frame,
                                        terrane_slot_ref ref) {
  terrane_slot* slot = terrane_slot_in(frame, ref);
  if (TERRANE_UNLIKELY(terrane_count_down(slot))) terrane_slot_expired(here, frame, slot);
}

/* SYNC. */
TERRANE_HOT void terrane_signal(terrane_slot_ref slot) {
  terrane_processor* here = terrane_here;
  terrane_frame* frame = terrane_frame_at(here, slot);
  if (TERRANE_UNLIKELY(!terrane_is_live_here(here, frame, slot))) {
    terrane_signal_far(here, slot);
    return;
  }
  terrane_slot_decrement(here, frame, slot);
}

/* Where an answer goes: written at the slot's owner, which is then signalled. */
typedef struct terrane_reply {
  terrane_slot_ref slot;
  void* to; /* an address at the slot's owner */
} terrane_reply;

/* Data first, then the signal. bytes: a constant, so that the copy is a store. */
TERRANE_HOT void terrane_reply_send(terrane_reply reply, const void* value, size_t bytes) {
  terrane_processor* here = terrane_here;
  terrane_frame* frame = terrane_frame_at(here, reply.slot);
  if (TERRANE_UNLIKELY(!terrane_is_live_here(here, frame, reply.slot))) {
    terrane_reply_far(here, reply.slot, reply.to, value, bytes);
    return;
  }
  memcpy(reply.to, value, bytes);
  terrane_slot_decrement(here, frame, reply.slot);
}

/* Counts one more signal to come (INCR_SYNC by one) and returns the reply that brings it. */
TERRANE_HOT terrane_reply terrane_join_into(terrane_slot* join, void* to) {
  const terrane_frame* frame = (const terrane_frame*)((char*)join - (join->index >> 12));
  terrane_reply reply = {frame->name + join->index, to};
  ++join->count;
  return reply;
}

/* The step that runs the slot's fiber at once. No slot lies at the addresses that mean other steps:
 * compilers that know this test for them once less. */
TERRANE_HOT terrane_step terrane_follow(const terrane_slot* slot) {
  const terrane_step step = (terrane_step)slot;
  if (step == TERRANE_DONE || step == TERRANE_WAIT) __builtin_unreachable();
  return step;
}

/* A join holds one count for the fiber that will await it; awaiting gives it up. */
#define TERRANE_AWAITED 0x80000000u /* in a join's index, while its fiber waits */
TERRANE_HOT terrane_step terrane_await(terrane_slot* join) {
  if (--join->count != 0) {
    join->index |= TERRANE_AWAITED;
    return TERRANE_WAIT;
  }
  join->count = 1;
  return terrane_follow(join);
}

/* A fiber may hold one count of a slot of its own frame and give it up by returning this. The
 * slot's fiber then follows at once if all other signals have arrived. (Without a hold, a fiber
 * that is enabled meanwhile waits in the ready queue for the running one to end.) */
TERRANE_HOT terrane_step terrane_give_up_hold(terrane_slot* slot) {
  if (--slot->count != 0) return TERRANE_WAIT;
  slot->count = slot->reset;
  return terrane_follow(slot);
}

/* ---- tokens ---- */

/* About where the C stack ends now. The stack's own register needs no register for the frame. */
#if defined(__x86_64__)
__extension__ register char* terrane_stack_pointer __asm__("rsp");
TERRANE_HOT char* terrane_stack_here(void) { return terrane_stack_pointer; }
#else
TERRANE_HOT char* terrane_stack_here(void) { return (char*)__builtin_frame_address(0); }
#endif

/* The slow path: something waits to be noticed, or the stack is not stocked. True: run the child
 * inline. */
TERRANE_COLD bool terrane_spawn_slow(terrane_processor* here);
TERRANE_COLD void terrane_push_slow(terrane_processor* here, const terrane_function* function);

/* TOKEN, first half. True: call the child's activate now. False: push a token. */
TERRANE_HOT bool terrane_spawn_inline(terrane_processor* here) {
  if (TERRANE_LIKELY(here->top >= TERRANE_LOAD_RELAXED(&here->stocked) &&
                     terrane_stack_here() > here->stack_floor)) {
    ++here->inlined;
    return true;
  }
  return terrane_spawn_slow(here);
}

/* TOKEN, second half. Returns where to write the arguments (at most TERRANE_TOKEN_ARGS bytes);
 * write them at once. */
TERRANE_HOT void* terrane_token_push(terrane_processor* here, const terrane_function* function) {
  if (TERRANE_UNLIKELY(here->top >= here->push_limit)) terrane_push_slow(here, function);
  terrane_token* token = here->top;
  here->top = token + 1;
  token->function = function;
  ++here->queued;
  return token->args;
}

/* ---- what is not hot ---- */

/* INVOKE: an activation on the chosen processor. R-210 outside 0..terrane_processors()-1. */
void terrane_invoke(uint32_t processor, const terrane_function* function, const void* args);
/* TOKEN for arguments beyond TERRANE_TOKEN_ARGS: copied to a block that travels with the token. */
void terrane_token_push_spilled(terrane_processor* here, const terrane_function* function,
                                const void* args);

uint32_t terrane_processors(void); /* NUM_NODES */
uint32_t terrane_nodes(void);      /* NUM_SMP */
uint32_t terrane_node_of(uint32_t processor);
/* Nanoseconds since the run began, by the world's clock. */
uint64_t terrane_now(void);
/* Signals `slot` once `nanoseconds` have passed. */
void terrane_after(uint64_t nanoseconds, terrane_slot_ref slot);
/* The `destroy` of a program's root: ends the run. */
void terrane_root_ended(terrane_frame* root);
/* Sets the exit code of the run, which is 0 otherwise. Called by the root, before it ends. */
void terrane_set_exit_code(int code);
/* Runs a machine with the options in TERRANE_OPTIONS and at the start of argv, and `root` on
 * processor 0 (arguments: int argc, char** argv, without those options). Returns the exit code. */
typedef struct terrane_root_args {
  int argc;
  char** argv;
} terrane_root_args;
int terrane_run(int argc, char** argv, const terrane_function* root);
/* Ends the run with one of the errors of the language (R-2xx): code, then what happened. */
__attribute__((noreturn, cold, format(printf, 2, 3))) void terrane_fail(int code, const char* what,
                                                                        ...);

#ifdef __cplusplus
}
#endif

#include "terrane/c/api.h"

#endif /* TERRANE_TERRANE_H */
