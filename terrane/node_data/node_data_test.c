/* SPDX-License-Identifier: Apache-2.0
 * node_data_test.c: node variables as a C program has them: of every kind, and what uses them.
 */
#include "terrane/node_data/node_data_test.h"

TERRANE_NODE_DATA char node_byte = 'b';
TERRANE_NODE_DATA int node_hits = 7;
TERRANE_NODE_DATA long node_zero;
TERRANE_NODE_DATA char node_letters[3] = {'x', 'y', 'z'};
TERRANE_NODE_DATA TERRANE_ALIGNED(64) char node_line[64] = "aligned";
static TERRANE_NODE_DATA long numbers[4] = {1, 2, 3, 4};
TERRANE_NODE_DATA struct node_record node_records[2] = {{1, "one", &numbers[1]},
                                                        {2, "two", &node_zero}};
TERRANE_NODE_POINTER(records_0, node_records[0].newest);
TERRANE_NODE_POINTER(records_1, node_records[1].newest);
TERRANE_NODE_DATA long* node_end = numbers + 4;
TERRANE_NODE_POINTER(end, node_end);
static TERRANE_NODE_DATA long* nothing;
TERRANE_NODE_POINTER(nothing, nothing);

/* A local static of a C program; nobody but this function writes it. */
static int calls(void) {
  static TERRANE_NODE_DATA int so_far;
  return ++TERRANE_NODE_VARIABLE(so_far);
}

int node_data_fault(void) {
  struct node_record* records = TERRANE_NODE_VARIABLE(node_records);
  long* own = TERRANE_NODE_VARIABLE(numbers);
  if (calls() != 1) return 1;
  if (TERRANE_NODE_VARIABLE(node_hits) != 7) return 2;
  if (TERRANE_NODE_VARIABLE(node_zero) != 0) return 3;
  if (memcmp(TERRANE_NODE_VARIABLE(node_letters), "xyz", 3) != 0) return 4;
  if (TERRANE_NODE_VARIABLE(node_byte) != 'b') return 5;
  if (strcmp(TERRANE_NODE_VARIABLE(node_line), "aligned") != 0) return 6;
  if ((uintptr_t)&TERRANE_NODE_VARIABLE(node_line) % 64 != 0) return 7;
  if (records[0].number != 1 || records[1].number != 2) return 8;
  if (strcmp(records[0].name, "one") != 0 || strcmp(records[1].name, "two") != 0) return 9;
  if (records[0].newest != own + 1) return 10;
  if (records[1].newest != &TERRANE_NODE_VARIABLE(node_zero)) return 11;
  if (TERRANE_NODE_VARIABLE(node_end) != own + 4) return 12;
  if (TERRANE_NODE_VARIABLE(nothing)) return 13;
  if (own[0] != 1 || own[1] != 2 || own[2] != 3 || own[3] != 4) return 14;
  return 0;
}

void node_data_change(void) {
  struct node_record* records = TERRANE_NODE_VARIABLE(node_records);
  TERRANE_NODE_VARIABLE(node_hits) = -1;
  TERRANE_NODE_VARIABLE(node_zero) = 99;
  memset(TERRANE_NODE_VARIABLE(node_letters), 'q', sizeof node_letters);
  memset(TERRANE_NODE_VARIABLE(node_line), 'q', sizeof node_line);
  TERRANE_NODE_VARIABLE(node_byte) = 'q';
  records[0].number = records[1].number = 77;
  records[0].name[0] = records[1].name[0] = 'q';
  *records[0].newest = -1000;
  records[0].newest = records[1].newest = 0;
  TERRANE_NODE_VARIABLE(node_end) = 0;
  TERRANE_NODE_VARIABLE(nothing) = TERRANE_NODE_VARIABLE(numbers);
}

long node_data_through_pointers(void) {
  *TERRANE_NODE_VARIABLE(node_records)[1].newest += 10;
  return TERRANE_NODE_VARIABLE(node_zero);
}
