/* SPDX-License-Identifier: Apache-2.0
 * threaded_c_objects_test.h: what a C program does with the library's objects, piece by piece; the
 * fibers between the pieces are the test's.
 */
#ifndef TERRANE_TALK_THREADED_C_OBJECTS_TEST_H
#define TERRANE_TALK_THREADED_C_OBJECTS_TEST_H

#include "terrane/c/mailbox.h"
#include "terrane/c/threaded_c_objects.h"

#ifdef __cplusplus
extern "C" {
#endif

struct c_objects {
  LOCK lock;
  SEM permits;
  IS once;
  MS cells;
  CHAN way;
  BICHAN ends;
  RED sum, longest;
  BARRIER barrier;
};

/* Where answers go. */
struct c_answers {
  long once, cell, sum;
  char item[8], ball[8], longest[8];
  int item_bytes, ball_bytes;
};

/* Signals `ready` seven times, for each but the reductions. */
void c_objects_make(struct c_objects* made, struct c_answers* answers, terrane_slot_ref ready,
                    terrane_slot_ref answered);
/* On any processor: signals `answered` ten times, with the two of the reductions. */
void c_objects_use(const struct c_objects* objects, terrane_global answers,
                   terrane_slot_ref answered);
/* 0, or the number of the first answer that is wrong. */
int c_answers_fault(const struct c_answers* answers);
void c_objects_free(const struct c_objects* freed);

/* The next items are `short` and `a longer item`: 0, or the number of what is wrong. */
int c_mailbox_fault(terrane_mailbox box);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_TALK_THREADED_C_OBJECTS_TEST_H */
