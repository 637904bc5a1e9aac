// SPDX-License-Identifier: Apache-2.0
// signals_blocked.hpp: for starting threads that no signal of the program is to interrupt.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace terrane {

/// While it lives, this thread blocks all signals, and so do for good the threads that it starts: a
/// thread inherits the mask of its creator.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace terrane
