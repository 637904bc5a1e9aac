// SPDX-License-Identifier: Apache-2.0
// alarm_clock.hpp: what rings when a thread has waited too long.
#pragma once

namespace terrane {

class alarm_clock {
 public:
  /// In the loop of the waiting thread's processor.
  virtual void ring() = 0;
  bool rang = false;

 protected:
  ~alarm_clock() = default;
};

}  // namespace terrane
