// SPDX-License-Identifier: Apache-2.0
// interruptible.hpp: signals that mean "end" or "pause", while a launcher has processes that they
// are for, too.
#pragma once

#include <signal.h>

#include <csignal>
#include <cstddef>
#include <iterator>

namespace terrane {

/// The signal that came; 0: none.
inline volatile std::sig_atomic_t interrupted_by = 0;

/// True if the launcher was asked to pause (SIGTSTP, as by Ctrl-Z) and has not done so yet.
inline volatile std::sig_atomic_t pause_wanted = 0;

/// While it lives, signals that mean "end" or "pause" are only recorded.
class interruptible {
 public:
  interruptible() {
    interrupted_by = 0;
    pause_wanted = 0;
    struct sigaction note{};
    note.sa_handler = [](int which) { (which == SIGTSTP ? pause_wanted : interrupted_by) = which; };
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &note, &before_[i]);
  }
  ~interruptible() { end(); }
  void end() const {
    for (std::size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP};
  struct sigaction before_[4];
};

}  // namespace terrane
