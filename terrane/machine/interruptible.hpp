// SPDX-License-Identifier: Apache-2.0
// interruptible.hpp: signals that mean "stop", while a launcher has processes to end first.
#pragma once

#include <signal.h>

#include <csignal>
#include <cstddef>
#include <iterator>

namespace terrane {

/// The signal that came; 0: none.
inline volatile std::sig_atomic_t interrupted_by = 0;

/// While it lives, signals that mean "stop" are only recorded.
class interruptible {
 public:
  interruptible() {
    interrupted_by = 0;
    struct sigaction note{};
    note.sa_handler = [](int which) { interrupted_by = which; };
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &note, &before_[i]);
  }
  ~interruptible() { end(); }
  void end() const {
    for (std::size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3];
};

}  // namespace terrane
