// SPDX-License-Identifier: Apache-2.0
// returning_thread_test.cpp: results of threads on every node: to their maker, to another thread
// that joins, and exceptions instead.
#include <stdexcept>
#include <string>

#include "terrane/talk/remote_call.hpp"
#include "terrane/talk/returning_thread.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class threads_with_results : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, threads_with_results, small_machines(), machine_name);

constexpr terrane_operation result_work{"result_test", 1000};

struct pair_of_values {
  double half;
  long whole;
};

pair_of_values halved(long n) {
  terrane_charge(&result_work, 1);
  if (n < 0) throw std::domain_error("below 0: " + std::to_string(n));
  this_thread::yield();
  return {0.5 * static_cast<double>(n), n};
}

}  // namespace
template <>
inline constexpr bool position_independent<pair_of_values> = true;
namespace {

long joins_for_another(returning_name<pair_of_values> whose) {
  const pair_of_values got = returning_thread<pair_of_values>::take(whose).join();
  return got.whole + static_cast<long>(got.half);
}

TEST_P(threads_with_results, return_them_to_whoever_joins) {
  expect([](faults& wrong) {
    using made = returning_thread<pair_of_values>;
    const thread_options how{.name = "returns"};
    for (node_id there = 0; there < terrane_nodes(); ++there) {
      made one = made::create_on(there, how, halved, 7L);
      made two = made::create_on(there, how, halved, 10L);
      wrong.unless(one.joinable() && one.id() != two.id());
      wrong.unless(two.join().half == 5);
      const pair_of_values got = one.join();
      wrong.unless(got.half == 3.5 && got.whole == 7 && !one.joinable());
      terrane_charge(&result_work, 1);
      // Another node joins.
      const node_id other = (there + 1) % terrane_nodes();
      wrong.unless(
          call<joins_for_another>(other, made::create_on(there, how, halved, 20L).release()) == 30);
      terrane_charge(&result_work, 1);
      made dropped = made::create_on(there, how, halved, 1L);
    }
  });
}

TEST_P(threads_with_results, throw_instead_what_left_them) {
  expect([](faults& wrong) {
    for (node_id there = 0; there < terrane_nodes(); ++there) {
      auto made =
          returning_thread<pair_of_values>::create_on(there, {.name = "throws"}, halved, -3L);
      try {
        made.join();
        wrong.unless(false);
      } catch (const std::exception& thrown) {
        wrong.unless(std::string(thrown.what()) == "below 0: -3");
      }
      terrane_charge(&result_work, 1);
    }
  });
}

}  // namespace
}  // namespace terrane
