/* SPDX-License-Identifier: Apache-2.0
 * node_data_test.h: node variables that one file defines and another uses.
 */
#ifndef TERRANE_CORE_NODE_DATA_TEST_H
#define TERRANE_CORE_NODE_DATA_TEST_H

#include "terrane/c/node_data.h"

#ifdef __cplusplus
extern "C" {
#endif

struct node_record {
  int number;
  char name[5];
  long* newest;
};

extern TERRANE_NODE_DATA int node_hits;
extern TERRANE_NODE_DATA long node_zero;
extern TERRANE_NODE_DATA char node_letters[3];
extern TERRANE_NODE_DATA struct node_record node_records[2];
extern TERRANE_NODE_DATA char node_line[64]; /* at a multiple of 64 */
extern TERRANE_NODE_DATA char node_byte;
extern TERRANE_NODE_DATA long* node_end;

/* 0, or the number of the first thing that is not as the program begins with it. */
int node_data_fault(void);
/* Changes everything. */
void node_data_change(void);
/* The same from C: one of the pointers, used. */
long node_data_through_pointers(void);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_CORE_NODE_DATA_TEST_H */
