// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/operations.hpp"

namespace terrane::compiler {

namespace {

using enum kind;

constexpr operation table[] = {
    // signals and slots
    {"SYNC", "void", "slot", {slot}},
    {"INIT_SYNC", "void", "slot, count, reset", {own_slot, count, reset}, true},
    {"INCR_SYNC", "void", "slot, more", {own_slot, count}, true},
    {"BIND_SLOT", "void", "slot, fiber, count, reset", {own_slot, own_fiber, count, reset}, true},
    {"TO_SPTR", "SPTR", "slot", {own_slot}, true},
    {"TERRANE_C_SLOT", "SPTR", "slot", {slot}},  // an argument of a library operation
    // places
    {"TO_GLOBAL", "void *GLOBAL", "pointer", {pointer}},
    {"TO_LOCAL", "void *", "handle", {handle}},
    {"LOCAL_ONLY", "void *", "pointer", {pointer}},
    {"OWNER_OF", "int", "handle", {handle}},
    {"NODE_OF", "int", "handle", {handle}},
    {"IS_LOCAL", "int", "handle", {handle}},
    // split-phase operations
    {"PUT_SYNC", "void", "value, target handle, slot", {value_for_next, target, slot}},
    {"GET_SYNC", "void", "source handle, target, slot", {handle, handle_or_own, slot}},
    {"BLKMOV_SYNC",
     "void",
     "source handle, target handle, bytes, slot",
     {handle, target, integer, slot}},
    {"PUT_SYNC_V",
     "void",
     "source, its step, target handle, its step, count, bytes each, slot",
     {pointer, integer, target, integer, integer, integer, slot}},
    {"GET_SYNC_V",
     "void",
     "source handle, its step, target handle, its step, count, bytes each, slot",
     {handle, integer, target, integer, integer, integer, slot}},
    {"ATOMIC_ADD_SYNC",
     "void",
     "value, handle of a long, handle for its old value, slot",
     {integer, long_handle, long_handle, slot}},
    {"MALLOC_SYNC",
     "void",
     "node, bytes, handle for the place, slot",
     {integer, integer, target, slot}},
    {"FREE", "void", "handle", {handle}},
    // mailboxes
    {"INIT_MAILBOX", "void", "mailbox pointer, slot", {mailbox_place, slot}},
    {"DROP_IN", "void", "mailbox handle, item, bytes", {mailbox_handle, pointer, integer}},
    {"RETRIEVE_ITEM", "int", "mailbox, pointer for the item", {mailbox, target_pointer}},
    {"RETRIEVE_ITEM_ADDR",
     "int",
     "mailbox, pointer for the item's address",
     {mailbox, target_pointer}},
    {"ITEMS", "int", "mailbox", {mailbox}},
    {"FREE_MAILBOX", "void", "mailbox", {mailbox}},
    // fibers with arguments
    {"TO_APTR", "void *", "fiber.argument", {own_argument}, true},
    {"SEND", "void", "value, argument", {argument_value, argument_place}},
    // how fibers end
    {"TERMINATE", "void", "nothing", {}, true},
    {"END_FIBER", "void", "nothing", {}, true},
};

// Names that begin with terrane_ mark the C that replaces the words (words.hpp).
constexpr std::string_view beginning = R"(
typedef struct terrane_place_of_slot __attribute__((opencl_local)) *SPTR;
typedef struct SLOT { int terrane_count; } SLOT;
typedef void (*TFUNC)();
typedef SPTR terrane_slot_ref;
typedef void (__attribute__((opencl_global)) *terrane_global);
#define TERRANE_TERRANE_H
typedef struct terrane_operation {
  const char *name;
  unsigned long picoseconds;
} terrane_operation;
terrane_global TERRANE_C_GLOBAL(terrane_global);
#define TERRANE_C_GLOBAL(handle) TERRANE_C_GLOBAL(handle)
#define TERRANE_C_SLOT(slot) TERRANE_C_SLOT(slot)
void terrane_charge(const terrane_operation *, unsigned long);
unsigned long terrane_now(void);
#include "terrane/c/threaded_c_words.h"
enum { terrane_zero };
extern const int NODE_ID, NUM_NODES, NUM_SMP, terrane_nothing;
extern const int TC_ARGC;
extern char **const TC_ARGV;
__attribute__((overloadable)) int terrane_fiber(...);
__attribute__((overloadable)) int terrane_priority(...);
__attribute__((overloadable)) void TOKEN(...);
__attribute__((overloadable)) void INVOKE(...);
#define APTR(T) __typeof__(T) __attribute__((opencl_constant)) *
)";

}  // namespace

std::span<const operation> operations() { return table; }

const operation* find_operation(std::string_view name) {
  for (const operation& each : table)
    if (each.name == name) return &each;
  return nullptr;
}

std::string reading_prelude() {
  std::string all(beginning);
  for (const operation& each : table) {
    std::string result(each.result);
    if (result == "void *GLOBAL") result = "terrane_global";
    all += "__attribute__((overloadable)) " + result + " " + std::string(each.name) + "(...);\n";
  }
  return all;
}

}  // namespace terrane::compiler
