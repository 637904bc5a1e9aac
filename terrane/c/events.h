/* SPDX-License-Identifier: Apache-2.0
 * events.h: the program's own events, for the trace of a run (docs/events.md).
 */
#ifndef TERRANE_C_EVENTS_H
#define TERRANE_C_EVENTS_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_EVENTS_USER (1u << 12) /* their class, in terrane_processor::events */

TERRANE_COLD void terrane_event_far(uint32_t code, int64_t value);

/* Records an event. What `code` and `value` mean is the program's choice. Costs a compare and a
 * branch unless the run records the class `user`. */
TERRANE_HOT void terrane_event(uint32_t code, int64_t value) {
  if (TERRANE_UNLIKELY((TERRANE_LOAD_RELAXED(&terrane_here->events) & TERRANE_EVENTS_USER) != 0))
    terrane_event_far(code, value);
}

#ifdef __cplusplus
}
#endif

#endif /* TERRANE_C_EVENTS_H */
