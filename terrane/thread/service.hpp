// SPDX-License-Identifier: Apache-2.0
// service.hpp: the service thread of a processor: it runs handlers that may block, one after the
// other, in the order in which their messages came.
//
// Invariants  The thread is made when there is something to do, and ends when there is nothing
//             left. So an idle program has none.
// Source      [CHANT §2.1] (the service thread of a context).
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace terrane {

class service_queue {
 public:
  /// That of the calling processor.
  static service_queue& here();
  /// Runs run(a copy of the bytes) in the service thread, after all that was added before.
  void add(void (*run)(const void* bytes), const void* bytes, std::size_t size);

 private:
  struct job {
    void (*run)(const void* bytes);
    std::vector<unsigned char> bytes;
  };
  void serve();
  std::deque<job> jobs_;
  bool serves_ = false;
};

}  // namespace terrane
