// SPDX-License-Identifier: Apache-2.0
// guarded_balancer.hpp: reports errors in a user's balancing policy with the name of its library.
//
// Errors      R-310: the policy throws, calls exit(), or does not return for `call_seconds_max`. A
//             crash prints its sentence before the process ends by the signal.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "terrane/balance/table.hpp"
#include "terrane/core/failure.hpp"

namespace terrane {

/// A policy's functions must not block. A call that takes this long is assumed never to return.
inline constexpr int call_seconds_max = 10;

/// While it lives, this thread is in a function of the library, and crashes and exit() are reported
/// as the library's.
class policy_call {
 public:
  /// Both texts must outlive this object. function: the name to use in a message.
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

/// Any exception from `call` becomes error R-310.
template <class Call>
auto without_exceptions(const std::string& library, const char* function, Call&& call) {
  try {
    return call();
  } catch (const std::exception& what) {
    fail(run_time_error::balancer_failed, "the balancer %s threw an exception in %s: %s",
         library.c_str(), function, what.what());
  } catch (...) {
    fail(run_time_error::balancer_failed, "the balancer %s threw an exception in %s",
         library.c_str(), function);
  }
}

/// A factory for the balancers of `make`, each wrapped so that its errors are reported.
balancer_factory guarded(const std::string& library, balancer_factory make);

}  // namespace terrane
