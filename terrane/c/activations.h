/* SPDX-License-Identifier: Apache-2.0
 * activations.h: what follows a fiber of an activation, until it waits or ends; declared work.
 * A part of terrane.h, and as hot.
 */
#ifndef TERRANE_C_ACTIVATIONS_H
#define TERRANE_C_ACTIVATIONS_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- activations ---- */

/* Call if the last ready fiber is one of `frame`, which does not run. Runs the first ready fiber of
 * `frame`, unless other fibers come first. True if it ran; `step` is what it returned. */
bool terrane_run_own(terrane_processor* here, terrane_frame* frame, terrane_step* step);

/* Call after any fiber. Continues with the fiber that the frame awaits if all its signals are there
 * already, then with the frame's own fibers that became ready meanwhile; then ends or leaves the
 * activation. No fiber of another frame runs here: one that is further down this C stack may be in
 * the middle of its own frame. */
TERRANE_HOT void terrane_proceed(terrane_processor* here, terrane_frame* frame, terrane_step step,
                                 const terrane_function* function) {
  for (;;) {
    if (TERRANE_LIKELY(step == TERRANE_DONE)) {
      if (function->destroy) function->destroy(frame);
      terrane_frame_free(here, frame, function->frame_class);
      return;
    }
    if (step != TERRANE_WAIT) {
      ++here->fibers;
      step = ((const terrane_slot*)step)->fiber->code(frame);
    } else if (here->ready_head != here->ready_tail &&
               here->ready[(here->ready_tail - 1) & here->ready_mask].frame == frame->name) {
      terrane_step next; /* `step` itself stays in a register */
      if (!terrane_run_own(here, frame, &next)) return;
      step = next;
    } else {
      return;
    }
  }
}

/* The same after an initial fiber that ended by awaiting `awaited`, whose fiber has that `code`: a
 * direct call if all signals are there. */
TERRANE_HOT void terrane_proceed_to(terrane_processor* here, terrane_frame* frame,
                                    terrane_step step, const terrane_function* function,
                                    const terrane_slot* awaited,
                                    terrane_step (*code)(terrane_frame*)) {
  if (TERRANE_LIKELY(step == (terrane_step)awaited)) {
    ++here->fibers;
    step = code(frame);
  }
  terrane_proceed(here, frame, step, function);
}

/* ---- declared work ---- */

/* A kind of work, and its cost per unit if the simulated machine names no price of its own. */
typedef struct terrane_operation {
  const char* name;
  uint64_t picoseconds;
} terrane_operation;

TERRANE_COLD void terrane_charge_far(const terrane_operation* operation, uint64_t count);

/* This fiber does `count` of that. In world `sim` this is its time; elsewhere one predictable
 * branch. */
TERRANE_HOT void terrane_charge(const terrane_operation* operation, uint64_t count) {
  if (TERRANE_UNLIKELY(terrane_here->priced)) terrane_charge_far(operation, count);
}

#ifdef __cplusplus
}
#endif

#endif /* TERRANE_C_ACTIVATIONS_H */
