/* SPDX-License-Identifier: Apache-2.0
 * threaded_c_words.h: the part of Threaded-C that is the same for its front end and for the C that
 * it is compiled to.
 *
 * Purpose     Clang reads this header with SPTR and T *GLOBAL as distinct types, and so checks the
 *             uses of library objects. The C compiler reads it after threaded_c.h.
 */
#ifndef TERRANE_C_THREADED_C_WORDS_H
#define TERRANE_C_THREADED_C_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "terrane/c/mailbox.h"
#include "terrane/c/threaded_c_objects.h"

typedef terrane_mailbox MAILBOX;

/* ---- declared work: the time that the simulated machine charges ---- */

/* A kind of work and what one of it costs, at file scope. */
#define OPERATION(name, cost_picoseconds) \
  static const terrane_operation name __attribute__((unused)) = {#name, cost_picoseconds}
/* This fiber does `count` of that kind of work. */
#define CHARGE(operation, count) terrane_charge(&(operation), count)

#endif /* TERRANE_C_THREADED_C_WORDS_H */
