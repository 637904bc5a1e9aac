// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/parker.hpp"

#include "terrane/base/futex.hpp"

namespace terrane {

void parker::sleep(std::int64_t nanoseconds) {
  futex_wait(state_, parked, nanoseconds);
  listen();
}

bool parker::wake_sleeper() {
  if (!take_sleeper()) return false;  // somebody else woke it
  futex_wake(state_);
  return true;
}

}  // namespace terrane
