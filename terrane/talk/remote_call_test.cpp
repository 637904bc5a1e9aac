// SPDX-License-Identifier: Apache-2.0
// remote_call_test.cpp: functions that are called on every node: their results and exceptions.
#include <stdexcept>
#include <string>
#include <utility>

#include "terrane/talk/remote_call.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class threads_that_call : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, threads_that_call, small_machines(), machine_name);

constexpr terrane_operation call_work{"call_test", 1000};
void answers() { terrane_charge(&call_work, 1); }

long half_of(long n) {
  if (n < 0) throw n;
  if (n % 2 != 0) throw std::domain_error("odd: " + std::to_string(n));
  answers();
  this_thread::yield();
  return n / 2;
}
void nothing_at_all() { answers(); }

TEST_P(threads_that_call, get_results_and_exceptions) {
  expect([](faults& wrong) {
    for (node_id there = 0; there < terrane_nodes(); ++there) {
      wrong.unless(call<half_of>(there, 34L) == 17);
      answers();
      call<nothing_at_all>(there);
      answers();
      auto one = icall<half_of>(there, 10L);
      auto two = icall<half_of>(there, 20L);
      wrong.unless(two.wait() == 10 && one.wait() == 5);
      answers();
      for (const auto& [n, says] :
           {std::pair{3L, "odd: 3"}, std::pair{-1L, "an exception that is no std::exception"}}) {
        try {
          call<half_of>(there, n);
          wrong.unless(false);
        } catch (const remote_exception& thrown) {
          wrong.unless(std::string(thrown.what()) == says);
        }
        answers();
      }
    }
  });
}

}  // namespace
}  // namespace terrane
