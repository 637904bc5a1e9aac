// SPDX-License-Identifier: Apache-2.0
// run_control.hpp: how the model tells the machine that the run is over.
#pragma once

#include "terrane/core/event.hpp"

namespace terrane {

class processor;

class run_control {
 public:
  virtual ~run_control() = default;
  /// The root activation has ended.
  virtual void root_ended(processor& here) = 0;
  /// Nothing runs, is queued, is under way or is due, and the root has not ended.
  virtual void quiet(processor& here) = 0;
  virtual void set_exit_code(int code) = 0;
  virtual event_sink& events() = 0;
};

}  // namespace terrane
