// SPDX-License-Identifier: Apache-2.0
// no_processor.cpp: ends an operation with one sentence if its thread is no processor of a run.
//
// Purpose     The hot path does not test whether there is a run. Outside a run `terrane_here` is
//             an address where no program has memory. Every access through it faults within the
//             bytes that an arena would have there, and nothing else ever faults there.
#include <cstring>

#include "terrane/base/bounded_text.hpp"
#include "terrane/base/signal_stack.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/terrane.h"

__thread terrane_processor* terrane_here = TERRANE_NO_PROCESSOR;

namespace terrane {

namespace {

void explain(const void* address, const void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at - reinterpret_cast<std::uintptr_t>(TERRANE_NO_PROCESSOR) >= TERRANE_ARENA_BYTES) return;
  static bounded_text line;  // static, because the signal stack is small
  // Only strings and whole numbers: this allocates nothing and takes no lock.
  line.add(
      "terrane: R-%d: an operation of Terrane in a thread of the operating system that is no "
      "processor of a run: do it between the start and the end of terrane::run, in a fiber or a "
      "terrane::thread, and let what runs outside (std::thread, blocking) work on plain memory\n",
      static_cast<int>(run_time_error::not_a_processor));
  end_with_line(line.c_str(), std::strlen(line.c_str()), exit_run_time_error);
}

[[maybe_unused]] const bool explained = (explain_faults(explain), true);

}  // namespace

}  // namespace terrane
