// SPDX-License-Identifier: Apache-2.0
// alarm_clock.hpp: the interface that a timed wait calls when its time is up.
#pragma once

namespace terrane {

class alarm_clock {
 public:
  /// Called in the loop of the waiting thread's processor.
  virtual void ring() = 0;
  bool rang = false;

 protected:
  ~alarm_clock() = default;
};

}  // namespace terrane
