/* SPDX-License-Identifier: Apache-2.0
 * terrane_lent.h: data of a thread that the branches of its par read on any node, in C.
 *
 * Each call but the first may wait, so it is for threads (R-281 in a fiber). Only the owner writes,
 * in its own data. The loan is a small value that may be captured and sent; it ends with the next
 * par of the owner, or with its thread. Use afterwards is R-287; so are bytes that are not there.
 * Source      docs/channels.md; thread/lent.hpp is the same in C++.
 */
#ifndef TERRANE_C_LENT_H
#define TERRANE_C_LENT_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrane_loan {
  terrane_slot_ref data;
  uint64_t bytes;
} terrane_loan;

/* Lends memory of the calling thread, which stays as it is until the next par of this thread has
 * ended. */
terrane_loan terrane_lend(const void* data, size_t bytes);
/* Copies so many bytes, beginning at byte `first` of what is lent. */
void terrane_lent_read(terrane_loan from, size_t first, void* into, size_t bytes);
/* Called on the owner's processor, when it has written: after that nobody reads what was there
 * before. */
void terrane_renew(terrane_loan what);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_LENT_H */
