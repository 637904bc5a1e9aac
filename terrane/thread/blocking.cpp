// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/blocking.hpp"

#include "terrane/thread/thread_seat.hpp"

namespace terrane {

void block_outside(void (*task)(void*), void* about) {
  thread_block& me = thread_block::current("blocking");
  thread_seat& seat = thread_seat::here();
  if (seat.of.is_simulated()) return task(about);  // one OS thread is the whole machine
  struct call {
    void (*task)(void*);
    void* about;
    int problem;
  } mine{task, about, 0};
  seat.run_outside(
      [](void* raw) {
        call& its = *static_cast<call*>(raw);
        its.task(its.about);
        its.problem = errno;
      },
      &mine, me.expect());
  me.block("a system call");
  errno = mine.problem;
}

}  // namespace terrane
