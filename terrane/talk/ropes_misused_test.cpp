// SPDX-License-Identifier: Apache-2.0
// ropes_misused_test.cpp: what is said of ropes that are used wrongly, and of members that wait.
#include <array>
#include <regex>
#include <span>
#include <string>

#include "terrane/core/node.hpp"
#include "terrane/talk/rope.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class misused_ropes : public run_to_failure {};

TEST_F(misused_ropes, are_named) {
  expect_failure<in_a_bare_thread>(
      machine_of(1),
      "R-303: member [01] of rope .* enters a (bcast of "
      "4 bytes, root 0|barrier).*, and member [01] a .*",
      +[] {
        rope::create(2, rope_mapping::block(), [] {
          const rope us = this_rope();
          int value = 0;
          if (us.rank() == 0)
            us.barrier();
          else
            us.bcast(value, 0);
        }).join();
      });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-306: this_rope\\(\\) was called in thread test.*", +[] { this_rope(); });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-306: thread test <0,[0-9]+> uses the rope .*, and is none of its 1 mem.*",
      +[] {
        started_rope other = rope::create(1, rope_mapping::block(), [] {});
        rope(other.name()).barrier();
      });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-301: a message was for rank 4 of a rope of 1.*",
      +[] { rope::create(1, rope_mapping::block(), [] { this_rope().send(4, 1, 1); }).join(); });
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-300: a share of the collective at .* ends after 4 elements, .* for 2.*",
      +[] {
        rope::create(1, rope_mapping::block(), [] {
          const std::array<int, 4> mine{};
          std::array<int, 2> all{};
          auto begun = this_rope().igather(std::span<const int>(mine), std::span<int>(all), 0);
          wait_all(begun);
        }).join();
      });
}

TEST(ropes_that_wait, say_who_is_in_and_who_is_elsewhere) {
  const auto outcome = run_machine<in_a_bare_thread>(
      machine_of(1), +[] {
        // No stack is unwound when a run ends so; what it owned would be a leak.
        [[maybe_unused]] static void* volatile held = nullptr;
        auto* const members = new auto(rope::create(2, rope_mapping::block(), [] {
          if (this_rope().rank() == 0)
            this_rope().barrier();
          else
            this_rope().recv<int>(0, 9);
        }));
        held = members;
        members->join();
      });
  EXPECT_TRUE(outcome.deadlock);
  const std::string said = describe_deadlock(outcome.left);
  EXPECT_TRUE(std::regex_search(
      said, std::regex("thread member waits for the other members: <0,[0-9]+>, rank 0 of rope "
                       "<[0-9,]+>, is in a barrier, ropes_misused_test.cpp:")))
      << said;
  EXPECT_TRUE(std::regex_search(
      said, std::regex("rank 1 <0,[0-9]+> in recv from rank 0 <0,[0-9]+>, tag 9")))
      << said;
}

}  // namespace
}  // namespace terrane
