// SPDX-License-Identifier: Apache-2.0
// thread_end.hpp: how a thread ended, as its joiner elsewhere hears of it.
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>

#include "terrane/core/place.hpp"

namespace terrane {

/// What an exception that left code on another node arrives as: its type stays there.
class remote_exception : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Within a process the exception itself; to others what it says.
struct thread_end {
  std::uint64_t exception = 0;  // std::exception_ptr*, the receiver's
  bool thrown = false;
  char says[151] = {};
};

/// For a joiner on that processor.
thread_end end_for(processor_id joiner, std::exception_ptr failure);
/// What left the thread, as its receiver may throw it.
std::exception_ptr failure_of(const thread_end& end);
/// Throws what left the thread, if anything did.
void rethrow(const thread_end& end);
/// Ends the run with R-284: nobody will ever join this thread.
[[noreturn]] void unheard_exception(const char* thread, const std::exception_ptr& failure);

}  // namespace terrane
