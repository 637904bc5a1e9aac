// SPDX-License-Identifier: Apache-2.0
// lent_in_c_test.cpp: what C programs lend and read (lent_in_c_test.c), on every node.
#include "terrane/thread/lent_in_c_test.h"

#include <vector>

#include "terrane/thread/channel_end.hpp"
#include "terrane/thread/par.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class lent_in_c : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, lent_in_c, small_machines(), machine_name);

TEST_P(lent_in_c, is_read_by_branches_of_one_processor) {
  expect([](faults& wrong) {
    long sum = 0;
    for (int i = 1000; i < 5000; ++i) sum += i % 251;
    wrong.unless(sum_of_lent_bytes() == sum);
  });
}

struct both_ends {
  terrane_channel_end out, in;
  both_ends() { terrane_channel_ends_new(&out, &in); }
};

TEST_P(lent_in_c, is_read_on_every_node_before_and_after_it_was_renewed) {
  expect([](faults& wrong) {
    std::vector<char> data(5000, 3);
    for (node_id node = 0; node < terrane_nodes(); ++node) {
      const terrane_loan loan = terrane_lend(data.data(), data.size());
      const both_ends seen, renewed;
      constexpr std::size_t place = 4999;
      data[place] = static_cast<char>(node);
      const c_reading reads{loan, place, seen.out, renewed.in};
      const c_owner owner{data.data(), place, loan, seen.in, renewed.out};
      char after = 0;
      par(on(node, [reads] { read_twice(&reads); }), [&] {
        change_and_renew(&owner);
        terrane_channel_end_receive(seen.in, &after, 1);
      });
      wrong.unless(after == static_cast<char>(node + 1));
    }
  });
}

class misused_in_c : public run_to_failure {};

TEST_F(misused_in_c, bytes_that_are_not_there) {
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-287: thread test reads elements 8 to 11 of lent data that have 10.*", +[] {
        const char data[10] = {};
        char into[4];
        terrane_lent_read(terrane_lend(data, sizeof data), 8, into, sizeof into);
      });
}

TEST_F(misused_in_c, a_loan_that_has_ended) {
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-287: thread test reads data <0,[0-9]+>, which are no longer lent.*", +[] {
        const char data[10] = {};
        char into[4];
        const terrane_loan loan = terrane_lend(data, sizeof data);
        par([] {});
        terrane_lent_read(loan, 0, into, sizeof into);
      });
}

}  // namespace
}  // namespace terrane
