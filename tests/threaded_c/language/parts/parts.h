// SPDX-License-Identifier: Apache-2.0
// parts.h: what the parts of one program tell each other.
#ifndef PARTS_H
#define PARTS_H

#define ROUNDS 3

struct message {
  int round;
  SPTR answer;
};

THREADED part(struct message, int* GLOBAL where);
extern int visits, from_c;
int visit(void);

static inline int twice_visits(void) { return 2 * visits; }

#endif
