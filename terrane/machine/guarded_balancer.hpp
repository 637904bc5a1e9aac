// SPDX-License-Identifier: Apache-2.0
// guarded_balancer.hpp: a policy of the user's own: what goes wrong in it is said with its name.
//
// An exception, and a call that does not return for `call_seconds_max`, are R-300. A crash has its
// sentence before the process ends by its signal, and exit() ends with R-300.
#pragma once

#include <memory>
#include <string>

#include "terrane/balance/table.hpp"

namespace terrane {

/// A policy's functions must not block; one that takes so long never returns.
inline constexpr int call_seconds_max = 10;

/// While it lives, this thread is in a function of that library: crashes and exit() are laid at its
/// door.
class policy_call {
 public:
  /// Both must outlive this. function: as a sentence names it.
  policy_call(const std::string& library, const char* function, int node = -1);
  ~policy_call();
  policy_call(const policy_call&) = delete;
  policy_call& operator=(const policy_call&) = delete;

 private:
  friend struct policy_faults;
  const std::string& library_;
  const char* const function_;
  const int node_;
  const policy_call* const outer_;
};

/// Makes what `make` makes, guarded.
balancer_factory guarded(const std::string& library, balancer_factory make);

}  // namespace terrane
