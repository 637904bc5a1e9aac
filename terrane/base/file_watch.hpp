// SPDX-License-Identifier: Apache-2.0
// file_watch.hpp: who waits until a file of the system can be read or written: one OS thread of the
// process asks the system for all of them (epoll).
//
// Invariants  A file is registered once, edge-triggered, and stays registered while its
//             watched_file lives: a wait makes no system call.
// Protocol    One side of a file is `changed`, or has waiters, or neither. The system's word sets
//             `changed` if nobody waits, and else tells everybody who waits. try_again() takes
//             `changed` back: so what changed between a failed try and the wait is not missed, and
//             a change that was seen already costs one vain try.
// Argument    A watched_file that is destroyed may be in the hand of the watching thread, in the
//             batch of events that it works on. So the file is taken from the system's list, and
//             then given to that thread, which deletes it between two batches: no later one names
//             the file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/base/outside_signals.hpp"
#include "terrane/base/spin_lock.hpp"

namespace terrane {

class watched_file {
 public:
  enum side : std::uint8_t { reading, writing };
  struct forget {
    void operator()(watched_file* one) const;
  };
  using owner = std::unique_ptr<watched_file, forget>;

  /// Null if the system does not watch such a file, since it is always ready: an ordinary file.
  /// Throws std::system_error if there is no such file, or no room.
  static owner make(int file);
  /// The number of the process whose files are watched here.
  static int process();

  /// True: try again, something may have changed. False: somebody must wait, and `name` will be
  /// said to `to`, unless it is withdrawn.
  bool try_again(side which, std::uint64_t name,
                 const std::shared_ptr<outside_signals::listener>& to);
  /// True: that name will not be said. False: it has been, or will be.
  bool withdraw(side which, std::uint64_t name);
  /// From now on nobody waits: all are told, and whoever asks has to try again.
  void stop();
  bool is_stopped() const { return stopped_.load(memory_order_relaxed); }

 private:
  friend class file_watch;
  struct waiter {
    std::uint64_t name;
    std::shared_ptr<outside_signals::listener> told;
  };
  struct one_side {
    bool changed = false;
    std::vector<waiter> waiters;
  };
  explicit watched_file(int file) : file_(file) {}
  void changed(side which);

  const int file_;
  atomic<bool> stopped_{false};
  spin_lock lock_;
  std::array<one_side, 2> sides_;  // under lock_
};

}  // namespace terrane
