// SPDX-License-Identifier: Apache-2.0
// run_control.hpp: how the model tells the machine that the run is over, or has failed.
#pragma once

namespace terrane {

class processor;

class run_control {
 public:
  virtual ~run_control() = default;
  /// The root activation has ended.
  virtual void root_ended(processor& here) = 0;
  /// Nothing runs, is queued, is under way or is due, but the root has not ended.
  virtual void quiet(processor& here) = 0;
  /// Another processor said that the run is over: stops this one.
  virtual void told_to_stop(processor& here) = 0;
  virtual void set_exit_code(int code) = 0;
  /// Reports that sentence, with what else may help, and ends the process. May be called by any
  /// thread, but by one thread only, and once.
  [[noreturn]] virtual void failed(const char* sentence, int exit_code) = 0;
};

}  // namespace terrane
