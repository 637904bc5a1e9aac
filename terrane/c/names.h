/* SPDX-License-Identifier: Apache-2.0
 * names.h: 64-bit names that mean the same on every node: of slots, of data.
 *
 * Invariants  A slot's name is compared in two steps (terrane_is_live_here), and they are exact:
 *             - A name of another processor differs in its low 16 bits. Only these bits may decide:
 *               this processor's arena is divided differently, and the memory at the name's offset
 *               in it may hold anything, even that very name, stored in a frame of this processor.
 *             - A name of this processor was made from a frame of this processor, and memory that
 *               was a frame stays a frame of the same class for the whole run
 *               (core/frame_arena.hpp). Hence a frame's head lies at the name's offset. It holds
 *               the name of the activation that lives there, or, while the frame is free, of the
 *               next one. The generations of one frame differ, so equal names mean one activation.
 *             - The generations of a frame are used up after 4,095 activations. Such a frame rests
 *               until thousands of its class rest: a name returns after about 10^8 activations of
 *               that class on that processor, and how often this happens is counted.
 *             Objects and threads have the names of their frames; the same holds for them.
 * Cost        Comparing: two instructions for the processor, four for the frame.
 * Source      [EARTH-SMP §2]; docs/decisions/0015-names-say-whose-they-are.md.
 */
#ifndef TERRANE_C_NAMES_H
#define TERRANE_C_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#define TERRANE_ALIGNED(n) alignas(n)
#else
#define TERRANE_ALIGNED(n) _Alignas(n)
#endif

#define TERRANE_LIKELY(x) __builtin_expect(!!(x), 1)
#define TERRANE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TERRANE_HOT static inline __attribute__((always_inline))
#define TERRANE_COLD __attribute__((cold, noinline))

#define TERRANE_PROCESSORS_MAX 16383
/* One processor's arena, aligned to its own size. */
#define TERRANE_ARENA_BYTES (UINT64_C(1) << 32)

/* ---- slots ---- */

/* A slot anywhere in the machine (Threaded-C's SPTR):
 *   bits 63..52  generation of the frame: which of the activations that lived there, from 1
 *        51..26  the frame: its distance from the start of its owner's arena, in 64 bytes
 *        25..16  the slot: its distance from the frame, in 16 bytes
 *        15..0   the processor that owns it
 * A frame's own name is the same with the slot's bits zero. No name is 0. */
typedef uint64_t terrane_slot_ref;

#define TERRANE_GENERATION_STEP (UINT64_C(1) << 52) /* from one activation to the next */
#define TERRANE_NAME_SLOTS 0x3ff0000u               /* the bits that say which slot */

/* Bytes from the arena to the frame, from the frame to the slot. */
TERRANE_HOT uint64_t terrane_frame_offset(terrane_slot_ref name) {
  return (name >> 20) & 0xffffffc0u;
}
TERRANE_HOT uint64_t terrane_slot_offset(terrane_slot_ref name) {
  return (name >> 12) & (TERRANE_NAME_SLOTS >> 12);
}
/* The slot bits for a slot at that offset from its frame. */
TERRANE_HOT terrane_slot_ref terrane_slot_bits(ptrdiff_t offset_bytes) {
  return (terrane_slot_ref)offset_bytes << 12;
}

/* ---- data ---- */

/* A datum anywhere in the machine (Threaded-C's T *GLOBAL): bits 63..50 processor + 1, 49..0
 * address there. Hence a plain address that is used as a place is found to name no processor. */
typedef uint64_t terrane_global;

#define TERRANE_PLACE_0 (UINT64_C(1) << 50) /* address 0 of processor 0 */

TERRANE_HOT terrane_global terrane_place_on(uint32_t processor, const void* address) {
  return ((terrane_global)processor + 1) << 50 | (terrane_global)(uintptr_t)address;
}
/* The processor of a place. UINT32_MAX for 0 and for plain addresses. */
TERRANE_HOT uint32_t terrane_owner_of(terrane_global place) { return (uint32_t)(place >> 50) - 1; }
TERRANE_HOT void* terrane_address_in(terrane_global place) {
  return (void*)(uintptr_t)(place & (TERRANE_PLACE_0 - 1));
}
#ifdef __cplusplus
}
#endif
#endif /* TERRANE_C_NAMES_H */
