/* SPDX-License-Identifier: Apache-2.0
 * mailbox.h: a queue that any processor drops items into and its owner empties; a slot is
 * signalled for each item. The C ABI of Threaded-C's MAILBOX.
 *
 * Invariants  Items of one sender come out in the order in which they were dropped. Only the
 *             processor that made the mailbox may retrieve. An item for a mailbox that was
 *             freed is R-231. An item has at least one byte.
 * Source      [EARTH-SMP §2, Fig. 3]; docs/threaded-c-rules.md §6.
 */
#ifndef TERRANE_C_MAILBOX_H
#define TERRANE_C_MAILBOX_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lies where its owner put it, usually in a frame; senders know its place. */
typedef struct terrane_mailbox {
  terrane_slot_ref object;
} terrane_mailbox;

/* INIT_MAILBOX: makes a mailbox on this processor; `arrived` is signalled for every item. */
void terrane_mailbox_new(terrane_mailbox* mailbox, terrane_slot_ref arrived);
/* DROP_IN: sends an item to the terrane_mailbox at that place. The bytes are copied before this
 * returns. */
void terrane_mailbox_drop(terrane_global mailbox, const void* item, size_t bytes);
/* RETRIEVE_ITEM: moves the next item to `to`. Returns its bytes; 0 if there is none. R-232 if it
 * has more than `most` bytes. */
size_t terrane_mailbox_retrieve(terrane_mailbox mailbox, void* to, size_t most);
/* RETRIEVE_ITEM_ADDR: the same, to new memory, which the caller frees with free(). */
size_t terrane_mailbox_retrieve_address(terrane_mailbox mailbox, void** to);
/* ITEMS: how many items wait. */
size_t terrane_mailbox_items(terrane_mailbox mailbox);
/* Bytes of the next item; 0 if there is none. */
size_t terrane_mailbox_next_bytes(terrane_mailbox mailbox);
/* FREE_MAILBOX: frees the mailbox and the items in it. */
void terrane_mailbox_free(terrane_mailbox mailbox);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_MAILBOX_H */
