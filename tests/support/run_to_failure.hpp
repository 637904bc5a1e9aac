// SPDX-License-Identifier: Apache-2.0
// run_to_failure.hpp: programs that end with a named error: exit code 122 and one sentence.
//
//   class my_errors : public run_to_failure {};
//   TEST_F(my_errors, are_named) { expect_failure<my_root>(machine_of(2), "R-210: .*", 0); }
#pragma once

#include <string>

#include "tests/support/run_machine.hpp"

namespace terrane {

inline run_options machine_of(int nodes, int processors = 1) {
  run_options options;
  options.nodes = nodes;
  options.processors = processors;
  return options;
}

/// A test of a run that ends badly.
class run_to_failure : public testing::Test {
 protected:
  run_to_failure() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  template <class Root, class... A>
  static void expect_failure(const run_options& options, const std::string& sentence, A... values) {
    EXPECT_EXIT(run_machine<Root>(options, values...), testing::ExitedWithCode(122),
                "terrane: " + sentence);
  }
};

/// A root that invokes Child on the last processor and would end well after two seconds.
template <class Child>
struct patient : threaded<patient<Child>> {
  using self = patient;
  slot given_up = self::template on<&self::finish>(1, 0);
  step start(int) {
    self::template invoke<Child>(processors() - 1, 0);
    after(2'000'000'000, self::ref(given_up));
    return self::wait;
  }
  step finish() { return self::done; }
};

/// The same for a Child that takes the place of a long of the root.
template <class Child>
struct invokes_with_a_place : threaded<invokes_with_a_place<Child>> {
  using self = invokes_with_a_place;
  long mine = 1;
  slot given_up = self::template on<&self::finish>(1, 0);
  step start(int) {
    self::template invoke<Child>(processors() - 1, to_global(mine));
    after(2'000'000'000, self::ref(given_up));
    return self::wait;
  }
  step finish() { return self::done; }
};

}  // namespace terrane
