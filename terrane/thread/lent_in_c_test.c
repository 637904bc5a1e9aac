/* SPDX-License-Identifier: Apache-2.0
 * lent_in_c_test.c: lent data in C; docs/channels.md shows the first two functions.
 */
#include "terrane/thread/lent_in_c_test.h"

/* Twice the same byte, before and after the owner has changed and renewed it. */
void read_twice(const struct c_reading* one) {
  char before = 0, after = 0;
  terrane_lent_read(one->from, one->place, &before, 1);
  terrane_channel_end_send(one->tell, &before, 1);
  terrane_channel_end_receive(one->renewed, &after, 1);
  terrane_lent_read(one->from, one->place, &after, 1);
  terrane_channel_end_send(one->tell, &after, 1);
}

void change_and_renew(const struct c_owner* owner) {
  char seen = 0, told = 0;
  terrane_channel_end_receive(owner->seen, &seen, 1);
  owner->data[owner->place] = (char)(seen + 1);
  terrane_renew(owner->loan);
  terrane_channel_end_send(owner->renewed, &told, 1);
}

struct parts {
  terrane_loan all;
  long sums[4];
};

static void add_up(int i, void* about) {
  struct parts* const parts = about;
  unsigned char bytes[1000];
  terrane_lent_read(parts->all, 1000 * (size_t)(i + 1), bytes, sizeof bytes);
  for (size_t at = 0; at < sizeof bytes; ++at) parts->sums[i] += bytes[at];
}

long sum_of_lent_bytes(void) {
  unsigned char data[5000];
  for (size_t i = 0; i < sizeof data; ++i) data[i] = (unsigned char)(i % 251);
  struct parts parts = {terrane_lend(data, sizeof data), {0, 0, 0, 0}};
  terrane_par(4, add_up, &parts);
  return parts.sums[0] + parts.sums[1] + parts.sums[2] + parts.sums[3];
}
