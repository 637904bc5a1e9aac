// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/wait_outside.hpp"

#include "terrane/core/processor.hpp"
#include "terrane/core/world.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

bool is_in_run() { return terrane_here != TERRANE_NO_PROCESSOR; }

bool asks_outside_here() { return here().world().crew.asks_outside(here()); }

void wait_outside(bool (*is_done)(void*), void* about, const char* waits_for) {
  thread_block& me = thread_block::current(waits_for);
  here().world().crew.await_outside(here(), {is_done, about, me.expect()});
  me.block(waits_for);
}

void then_outside(bool (*is_done)(void*), void* about, terrane_slot_ref done) {
  here().world().crew.await_outside(here(), {is_done, about, done});
}

}  // namespace terrane
