// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/debug_layout.hpp"

#include <cstddef>
#include <cstdint>

#include "terrane/core/processor.hpp"
#include "terrane/thread/thread_block.hpp"

// The commands lie in the executable in gdb's format: a byte for Python, a name, and the text.
asm(".pushsection \".debug_gdb_scripts\", \"MS\", %progbits, 1\n"
    ".byte 4\n"
    ".ascii \"gdb.inlined-script.terrane\\n\"\n"
    ".incbin \"" TERRANE_GDB_COMMANDS
    "\"\n"
    ".byte 0\n"
    ".popsection\n");

// Compilers define offsetof for these types, though the language does not promise it for types with
// bases.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

/// The offset of a datum. With it gdb needs no debugging information of the library.
struct terrane_debug_entry {
  const char* name;
  std::uint64_t value;
};
static_assert(sizeof(terrane_debug_entry) == 16, "gdb_commands.py reads pairs of eight bytes");

namespace terrane {

/// A friend of the classes whose member offsets it publishes.
struct debug_layout {
  static constexpr std::size_t slabs = offsetof(processor, frames_) + offsetof(frame_arena, slabs_);
  static_assert(sizeof(frame_arena::slab) == 16);
  static constexpr std::size_t thread = offsetof(processor, thread_),
                               wake = offsetof(thread_block, wake_),
                               context = offsetof(thread_block, context_),
                               state = offsetof(thread_block, state_),
                               stack = offsetof(thread_block, stack_),
                               name = offsetof(thread_block, name_),
                               waits_for = offsetof(thread_block, waits_for_);
};

}  // namespace terrane

extern "C" {
extern const terrane_debug_entry terrane_debug_layout[];
[[gnu::used]] const terrane_debug_entry terrane_debug_layout[] = {
    {"processor_number", offsetof(terrane_processor, number)},
    {"processor_ready", offsetof(terrane_processor, ready)},
    {"processor_ready_head", offsetof(terrane_processor, ready_head)},
    {"processor_thread", terrane::debug_layout::thread},
    {"processor_slabs", terrane::debug_layout::slabs},
    {"thread_wake", terrane::debug_layout::wake},
    {"thread_stack_pointer", terrane::debug_layout::context},
    {"thread_state", terrane::debug_layout::state},
    {"thread_stack", terrane::debug_layout::stack},
    {"thread_name", terrane::debug_layout::name},
    {"thread_waits_for", terrane::debug_layout::waits_for},
    {nullptr, 0},
};
/// The kind of object that a thread's frame has.
extern const void* const terrane_debug_thread_kind;
[[gnu::used]] const void* const terrane_debug_thread_kind =
    &terrane::kind_of<terrane::thread_block>::kind;
}

void terrane::keep_debug_layout() {}
