// SPDX-License-Identifier: Apache-2.0
// terrane.hpp: the whole C++ API.
//
// In reading order: which values may be sent to another node (wire_value), how fibers wait (slot,
// join, reply), threaded functions (threaded), data on any processor (global) and its split-phase
// operations, objects that exist once per node (node_local), mailboxes, locks and the other objects
// of talk/, and run.
#pragma once

#include "terrane/cpp/global.hpp"
#include "terrane/cpp/slot.hpp"
#include "terrane/cpp/threaded.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/node_data/node_local.hpp"
#include "terrane/talk/barrier.hpp"
#include "terrane/talk/channel.hpp"
#include "terrane/talk/istruct.hpp"
#include "terrane/talk/lock.hpp"
#include "terrane/talk/mailbox.hpp"
#include "terrane/talk/mstruct.hpp"
#include "terrane/talk/reduction.hpp"
#include "terrane/talk/semaphore.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// Runs Main, a threaded<Main> whose start takes (int argc, char** argv), on processor 0 of a
/// machine as the options say; returns the exit code. The program ends when Main does:
///   int main(int argc, char** argv) { return terrane::run<fib_main>(argc, argv); }
template <class Main>
int run(int argc, char** argv) {
  static_assert(std::is_convertible_v<decltype(&Main::start), step (Main::*)(int, char**)>,
                "the root of a program is a struct with step start(int argc, char** argv)");
  return terrane_run(argc, argv, &activation<Main, true>::function);
}

/// Sets the exit code of the program, which is 0 otherwise. Call in Main, before it ends.
inline void set_exit_code(int code) { terrane_set_exit_code(code); }

/// NODE_ID: the machine-wide number of the processor that runs this fiber.
inline std::uint32_t this_processor() { return terrane_here->number; }
/// NUM_NODES: the number of processors in the whole machine.
inline std::uint32_t processors() { return terrane_processors(); }
/// NUM_SMP: the number of nodes; and the node of a processor.
inline std::uint32_t nodes() { return terrane_nodes(); }
inline std::uint32_t node_of(std::uint32_t processor) { return terrane_node_of(processor); }

/// A kind of work, and what one of it costs, in nanoseconds, where the simulated machine names no
/// price.
///   constexpr operation placement{"queens.placement", 10};
struct operation : terrane_operation {
  constexpr operation(const char* called, double nanoseconds)
      : terrane_operation{called, static_cast<std::uint64_t>(nanoseconds * 1000)} {}
};
/// This fiber does `count` of `what`. In world `sim` this is the fiber's time; elsewhere it costs
/// one predictable branch. In `sim`, a fiber that declares nothing costs its measured time, and the
/// run cannot be repeated.
inline void charge(const operation& what, std::uint64_t count = 1) { terrane_charge(&what, count); }

/// Nanoseconds since the run began, by the world's clock.
inline std::uint64_t now() { return terrane_now(); }
/// Signals `slot` once that many nanoseconds have passed.
inline void after(std::uint64_t nanoseconds, slot_ref slot) {
  terrane_after(nanoseconds, slot.raw);
}

}  // namespace terrane
