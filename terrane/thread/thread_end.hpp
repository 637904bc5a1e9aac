// SPDX-License-Identifier: Apache-2.0
// thread_end.hpp: how a thread ended, as reported to a joiner on another processor.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>

#include "terrane/core/place.hpp"

namespace terrane {

/// Stands for an exception that was thrown on another node. It has the text, not the type.
class remote_exception : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown in a thread that was cancelled, at its next receive, probe or checkpoint; join() throws
/// it again.
class thread_cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "thread_cancelled"; }
};

/// How a thread ended. Within a process it holds the exception itself; for other processes, the
/// text of the exception.
struct thread_end {
  std::uint64_t exception = 0;  // a std::exception_ptr*, which the receiver owns
  bool thrown = false;
  char says[151] = {};
};

/// Makes the report for a joiner on that processor.
thread_end end_for(processor_id joiner, std::exception_ptr failure);
/// Writes the text of an exception, or as much as there is room for.
void write_text(const std::exception_ptr& failure, std::span<char> into);
/// The exception that left the thread, to be thrown by the receiver.
std::exception_ptr failure_of(const thread_end& end);
/// Throws what left the thread, if anything did.
void rethrow(const thread_end& end);
/// Ends the run with R-284: nobody will ever join this thread.
[[noreturn]] void unheard_exception(const char* thread, const std::exception_ptr& failure);

}  // namespace terrane
