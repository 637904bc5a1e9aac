// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_seat.hpp"

#include <cxxabi.h>

#include <cerrno>

#include "terrane/thread/overflow.hpp"

namespace terrane {

thread_seat& thread_seat::here() {
  processor& self = terrane::here();
  if (!self.threads()) self.set_threads(std::make_unique<thread_seat>(self));
  return static_cast<thread_seat&>(*self.threads());
}

// __cxa_eh_globals begins with the stack of caught exceptions and the count of uncaught ones.
thread_seat::thread_seat(processor& self)
    : of(self),
      errno_place(&errno),
      exceptions_place(reinterpret_cast<std::array<void*, 2>*>(abi::__cxa_get_globals())) {
  name_overflows();
}

}  // namespace terrane
