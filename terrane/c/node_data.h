/* SPDX-License-Identifier: Apache-2.0
 * node_data.h: variables of a program that exist once per node, even if several nodes share a
 * process.
 *
 *   TERRANE_NODE_DATA int hits = 1;                    a definition
 *   extern TERRANE_NODE_DATA int hits;                 a declaration
 *   TERRANE_NODE_VARIABLE(hits) += 1;                  this node's copy
 *
 * Method      Such variables lie in a section of their own, the image. Node 0 uses the image
 *             itself, so that a debugger shows the variables under their names. Every other node
 *             has a copy of it, at a distance that its processors keep. At the start of each run of
 *             a process every node begins with the image's contents at the start of the first run.
 * Invariants  A copy has the alignment of the image, up to 64 bytes. One run at a time in a
 *             process that has node variables. Those of a shared library are not in the image.
 * Cost        An access: the distance is loaded and added. None to a program without them.
 * Sanitizers  Compilers put no red zones into sections whose name is a C identifier, so a copy of
 *             the image is right as it stands.
 * Source      docs/threaded-c-rules.md §7.
 */
#ifndef TERRANE_C_NODE_DATA_H
#define TERRANE_C_NODE_DATA_H

#include "terrane/terrane.h"

/* Before a definition or declaration with static storage, zero-initialised or not. */
#define TERRANE_NODE_DATA __attribute__((section("terrane_node_data")))

/* This node's copy of the node variable `x`, an lvalue. In fibers and what they call. */
#define TERRANE_NODE_VARIABLE(x) (*(__typeof__(x)*)terrane_node_address(&(x)))

/* `&` of this, and of nothing else, is the place of a variable that the whole machine has once, on
 * processor 0. Nodes that are processes may have the executable elsewhere. */
#define TERRANE_MACHINE_VARIABLE(x) (*(__typeof__(x)*)terrane_place_on_node_0(&(x)))
/* The same where a constant is needed: right on node 0, and on the others of its process. */
#define TERRANE_MACHINE_CONSTANT(x) (*(__typeof__(x)*)((char*)&(x) + TERRANE_PLACE_0))

/* Beside a node variable whose initialiser holds the address of a node variable: `field` is that
 * pointer, and each copy's will point to the same place of the same copy. `id`: any name that is
 * this one's alone in the file.
 *   static TERRANE_NODE_DATA int* newest = &hits;
 *   TERRANE_NODE_POINTER(newest, newest); */
#define TERRANE_NODE_POINTER(id, field)                                     \
  static const volatile void* terrane_node_pointer_##id                     \
      __attribute__((used, aligned(8), section("terrane_node_pointers"))) = \
          (const volatile void*)&(field)

/* The same for a pointer that begins as the place of a variable of the machine's, on node 0. */
#define TERRANE_MACHINE_POINTER(id, field)                                     \
  static const volatile void* terrane_machine_pointer_##id                     \
      __attribute__((used, aligned(8), section("terrane_machine_pointers"))) = \
          (const volatile void*)&(field)

/* The address at which this node has what lies at `in_image`. The compiler must not know that the
 * address is derived from the variable's: it could believe the distance to be less than the
 * variable's size. */
TERRANE_HOT void* terrane_node_address(const volatile void* in_image) {
  uintptr_t address = (uintptr_t)in_image;
  __asm__("" : "+r"(address));
  return (void*)(address + (uintptr_t)terrane_here->node_data);
}

TERRANE_HOT void* terrane_place_on_node_0(const volatile void* here) {
  uintptr_t address = (uintptr_t)here;
  __asm__("" : "+r"(address));
  return (void*)(TERRANE_PLACE_0 + address + (uintptr_t)terrane_here->to_node_0);
}

#endif /* TERRANE_C_NODE_DATA_H */
