/* SPDX-License-Identifier: Apache-2.0
 * terrane_channel_end.h: channels between threads, in C: one sender, one receiver, no buffer.
 *
 * Each call but the first may wait, so it is for threads (R-281 in a fiber). Both sides wait until
 * the item is over. An end is a small value that may be sent wherever values may; it belongs to the
 * first thread that uses it, until that thread gives it up or ends.
 * Source      docs/channels.md; thread/channel_end.hpp is the same in C++.
 */
#ifndef TERRANE_C_CHANNEL_END_H
#define TERRANE_C_CHANNEL_END_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrane_channel_end {
  terrane_slot_ref end;
} terrane_channel_end;

/* A channel of this processor; nobody owns its ends. */
void terrane_channel_ends_new(terrane_channel_end* out, terrane_channel_end* in);
/* Returns when the item has been received; false: the receiver has closed its end. */
bool terrane_channel_end_send(terrane_channel_end out, const void* item, size_t bytes);
/* Returns the bytes of the item that came; below 0: the sender has closed its end. R-263 if the
 * item has more than `most` bytes. */
int64_t terrane_channel_end_receive(terrane_channel_end in, void* to, size_t most);
void terrane_channel_end_close(terrane_channel_end end);
/* Another thread may use the end from now on: call it before an end is sent. */
void terrane_channel_end_give_up(terrane_channel_end end);

/* Runs branch(0, about) to branch(n - 1, about) as threads of this processor; returns when all have
 * ended. */
void terrane_par(int n, void (*branch)(int i, void* about), void* about);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_CHANNEL_END_H */
