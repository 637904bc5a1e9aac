/* SPDX-License-Identifier: Apache-2.0
 * mailbox.h: a queue that any processor drops items into and its owner empties; a slot
 * hears of each. The C ABI of Threaded-C's MAILBOX.
 *
 * Invariants  Items of one sender come out in the order in which they were dropped. Retrieval is
 *             for the processor that made the mailbox; an item for a mailbox that was freed
 *             is R-231. An item has one byte at least.
 * Source      [EARTH-SMP §2, Fig. 3]; docs/threaded-c-rules.md §6.
 */
#ifndef TERRANE_C_MAILBOX_H
#define TERRANE_C_MAILBOX_H

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lies where its owner put it, in a frame as a rule; senders know its place. */
typedef struct terrane_mailbox {
  terrane_slot_ref object;
} terrane_mailbox;

/* INIT_MAILBOX: on this processor; `arrived` is signalled for every item. */
void terrane_mailbox_new(terrane_mailbox* mailbox, terrane_slot_ref arrived);
/* DROP_IN: to the terrane_mailbox at that place. The bytes are copied before this returns. */
void terrane_mailbox_drop(terrane_global mailbox, const void* item, size_t bytes);
/* RETRIEVE_ITEM: moves the next item to `to`; its bytes, or 0 if there is none. R-232 if it is
 * larger than `most`. */
size_t terrane_mailbox_retrieve(terrane_mailbox mailbox, void* to, size_t most);
/* RETRIEVE_ITEM_ADDR: the same to memory made for it, which the caller frees with free(). */
size_t terrane_mailbox_retrieve_address(terrane_mailbox mailbox, void** to);
/* ITEMS: that wait. */
size_t terrane_mailbox_items(terrane_mailbox mailbox);
/* Bytes of the next item; 0 if there is none. */
size_t terrane_mailbox_next_bytes(terrane_mailbox mailbox);
/* FREE_MAILBOX: with the items it holds. */
void terrane_mailbox_free(terrane_mailbox mailbox);

#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_MAILBOX_H */
