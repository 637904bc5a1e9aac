// SPDX-License-Identifier: Apache-2.0
// what_moves_test.cpp: a thread's errno and priority, which lie outside its stack, move with it.
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/support/moving_threads.hpp"

namespace terrane {
namespace {

class what_moves : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, what_moves, small_machines(), machine_name);

// A function of its own: if a compiler keeps the address of errno over the move, it is the address
// of the OS thread that was left.
[[gnu::noinline]] void set_errno(int value) { errno = value; }
[[gnu::noinline]] int errno_now() { return errno; }

TEST_P(what_moves, errno_keeps_its_value_over_a_move) {
  expect([](faults& wrong) {
    for (const stack_form form : all_forms)
      in_moving_threads(wrong, 2, [form](int which) {
        bool right = true;
        for (int hop = 0; hop < 6; ++hop) {
          const int mine = 1000 * (which + 1) + hop;
          set_errno(mine);
          right = right && goes_to((node_now() + 1) % terrane_nodes(), form);
          right = right && errno_now() == mine;
        }
        return right;
      });
  });
}

TEST_P(what_moves, a_priority_is_kept_over_a_move) {
  expect([](faults& wrong) {
    for (const stack_form form : all_forms)
      in_moving_threads(wrong, 2, [form](int which) {
        bool right = true;
        for (int hop = 0; hop < 6; ++hop) {
          const int mine = 1 + (which + hop) % 6;
          this_thread::set_priority(mine);
          right = right && goes_to((node_now() + 1) % terrane_nodes(), form);
          right = right && this_thread::priority() == mine;
        }
        return right;
      });
  });
}

}  // namespace
}  // namespace terrane
