/* SPDX-License-Identifier: Apache-2.0
 * threaded_c_objects_test.c: every name that Threaded-C has for the library's objects, from C.
 */
#include "terrane/talk/threaded_c_objects_test.h"

#include <stdlib.h>

/* Keeps the longer of two words. */
static void longer(void* into, const void* value) {
  if (strlen((const char*)value) > strlen((const char*)into)) memcpy(into, value, 8);
}

void c_objects_make(struct c_objects* made, struct c_answers* answers, terrane_slot_ref ready,
                    terrane_slot_ref answered) {
  INIT_LOCK(&made->lock, ready);
  INIT_SEM(&made->permits, 1, ready);
  I_ALLOC(&made->once, 10, sizeof(long), ready);
  M_ALLOC(&made->cells, 10, sizeof(long), ready);
  CHAN_NEW(&made->way, 1, ready);
  BICHAN_NEW(&made->ends, 1, ready);
  BAR_NEW(&made->barrier, 1, ready);
  RED_NEW(&made->sum, TERRANE_SUM, TERRANE_INT64, 2, terrane_to_global(&answers->sum), answered);
  RED_NEW_FUNCTION(&made->longest, longer, 8, 2, terrane_to_global(answers->longest), answered);
}

static terrane_global part(terrane_global answers, size_t offset) { return answers + offset; }
#define PART(field) part(answers, offsetof(struct c_answers, field))

void c_objects_use(const struct c_objects* objects, terrane_global answers,
                   terrane_slot_ref answered) {
  const long once = 11, cell = 22, one = 1, two = 2;
  LOCK_SYNC(objects->lock, answered);
  UNLOCK(objects->lock);
  P_SYNC(objects->permits, answered);
  V(objects->permits);
  I_READ_SYNC(objects->once, 3, PART(once), answered);
  I_WRITE(objects->once, 3, &once);
  M_PUT(objects->cells, 4, &cell);
  M_TAKE_SYNC(objects->cells, 4, PART(cell), answered);
  CH_SEND_SYNC(objects->way, "item", 5, answered);
  CH_RECV_SYNC(objects->way, PART(item), 8, PART(item_bytes), answered);
  CH_SEND_SYNC(objects->ends.b2a, "ball", 5, 0);
  CH_RECV_SYNC(objects->ends.b2a, PART(ball), 8, PART(ball_bytes), answered);
  BAR_SYNC(objects->barrier, answered);
  RED_PUT(objects->sum, &one);
  RED_PUT(objects->sum, &two);
  RED_PUT(objects->longest, "long\0\0\0");
  RED_PUT(objects->longest, "longer\0");
}

int c_answers_fault(const struct c_answers* answers) {
  if (answers->once != 11) return 1;
  if (answers->cell != 22) return 2;
  if (answers->sum != 3) return 3;
  if (answers->item_bytes != 5 || strcmp(answers->item, "item") != 0) return 4;
  if (answers->ball_bytes != 5 || strcmp(answers->ball, "ball") != 0) return 5;
  if (strcmp(answers->longest, "longer") != 0) return 6;
  return 0;
}

void c_objects_free(const struct c_objects* freed) {
  FREE_LOCK(freed->lock);
  FREE_SEM(freed->permits);
  FREE_IS(freed->once);
  FREE_MS(freed->cells);
  FREE_CHAN(freed->way);
  FREE_BICHAN(freed->ends);
  FREE_RED(freed->sum);
  FREE_RED(freed->longest);
  FREE_BARRIER(freed->barrier);
}

int c_mailbox_fault(terrane_mailbox box) {
  char memory[8];
  void* made = 0;
  int fault = 0;
  if (terrane_mailbox_items(box) != 2) return 1;
  if (terrane_mailbox_next_bytes(box) != 6) return 2;
  if (terrane_mailbox_retrieve(box, memory, sizeof memory) != 6) return 3;
  if (strcmp(memory, "short") != 0) return 4;
  if (terrane_mailbox_retrieve_address(box, &made) != 14) fault = 5;
  if (!made || strcmp((const char*)made, "a longer item") != 0) fault = 6;
  free(made);
  if (terrane_mailbox_retrieve(box, memory, sizeof memory) != 0) fault = 7;
  if (terrane_mailbox_retrieve_address(box, &made) != 0 || made) fault = 8;
  return fault;
}
