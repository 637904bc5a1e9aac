/* SPDX-License-Identifier: Apache-2.0
 * lent_in_c_test.h: what C programs do with lent data; the test places the branches.
 */
#ifndef TERRANE_THREAD_LENT_IN_C_TEST_H
#define TERRANE_THREAD_LENT_IN_C_TEST_H

#include "terrane/c/terrane_channel_end.h"
#include "terrane/c/terrane_lent.h"

#ifdef __cplusplus
extern "C" {
#endif

struct c_reading {
  terrane_loan from;
  size_t place;
  terrane_channel_end tell, renewed;
};
struct c_owner {
  char* data;
  size_t place;
  terrane_loan loan;
  terrane_channel_end seen, renewed;
};

/* Sends the byte at that place twice: as it is, and when it was renewed. */
void read_twice(const struct c_reading* one);
/* Adds one to what the reader saw, and says so. */
void change_and_renew(const struct c_owner* owner);

/* Branches of terrane_par read what their parent lends: the sum of its bytes 1,000 to 4,999. */
long sum_of_lent_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
