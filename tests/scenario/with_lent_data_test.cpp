// SPDX-License-Identifier: Apache-2.0
// with_lent_data_test.cpp: what branches read of their parent's data: in place and from elsewhere,
// before and after it was renewed, and when it is no longer lent.
#include <numeric>
#include <vector>

#include "terrane/machine/worlds.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/par.hpp"
#include "terrane/thread/thread_id.hpp"
#include "terrane/threads.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class lent_values : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, lent_values, small_machines(), machine_name);

std::vector<long> squares(std::size_t count) {
  std::vector<long> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<long>(i * i);
  return all;
}

TEST_P(lent_values, are_read_on_every_node) {
  expect([](faults& wrong) {
    const std::vector<long> data = squares(1000);
    for (node_id node = 0; node < terrane_nodes(); ++node) {
      const auto again = lend(data);
      const auto [told, heard] = channel_ends<bool>::make();
      bool right = false;
      par(on(node,
             [again, told] {
               bool as_lent = true;
               for (std::size_t i = 0; i < again.size(); i += 7)
                 as_lent = as_lent && again[i] == static_cast<long>(i * i);
               std::vector<long> part(300);
               again.read(500, part);
               for (std::size_t i = 0; i < part.size(); ++i)
                 as_lent = as_lent && part[i] == static_cast<long>((500 + i) * (500 + i));
               told.send(as_lent);
             }),
          [&] { right = *heard.receive(); });
      wrong.unless(right);
    }
  });
}

/// Elements that lie across the borders of blocks.
struct odd_size {
  char text[37];
};

}  // namespace
template <>
inline constexpr bool position_independent<odd_size> = true;
namespace {

TEST_P(lent_values, may_lie_across_blocks) {
  expect([](faults& wrong) {
    std::vector<odd_size> data(200);
    for (std::size_t i = 0; i < data.size(); ++i)
      std::ranges::fill(data[i].text, static_cast<char>(i));
    const auto shared = lend(data);
    const auto [told, heard] = channel_ends<bool>::make();
    par(on(terrane_nodes() - 1,
           [shared, told] {
             bool right = true;
             for (std::size_t i = 0; i < shared.size(); ++i) {
               const auto one = shared[i];
               for (const char each : one->text) right = right && each == static_cast<char>(i);
             }
             told.send(right);
           }),
        [&] { wrong.unless(*heard.receive()); });
  });
}

/// After renew() has returned, no branch on any node reads what was there before.
TEST_P(lent_values, are_new_when_they_were_renewed) {
  expect([](faults& wrong) {
    constexpr int rounds = 20;
    constexpr std::size_t size = 700;
    std::vector<long> data(size, 0);
    const auto shared = lend(data);
    struct reader {
      lent<long> from;
      channel_in<long> ask;
      channel_out<bool> tell;
      void operator()() const {
        while (const auto round = ask.receive()) {
          bool right = true;
          for (std::size_t i = 0; i < size; i += 50) right = right && from[i] == *round;
          tell.send(right);
        }
      }
    };
    std::vector<channel_ends<long>> asks;
    std::vector<channel_ends<bool>> answers;
    par_branches all(2 * terrane_nodes() + 1);
    for (node_id i = 0; i < 2 * terrane_nodes(); ++i) {
      asks.push_back(channel_ends<long>::make());
      answers.push_back(channel_ends<bool>::make());
      all.add(on(i % terrane_nodes(), reader{shared, asks.back().in, answers.back().out}));
    }
    const auto owner = [&] {
      for (long round = 1; round <= rounds; ++round) {
        std::ranges::fill(data, round);
        shared.renew();
        for (const auto& each : asks) each.out.send(round);
        for (const auto& each : answers) wrong.unless(*each.in.receive());
      }
      for (const auto& each : asks) each.out.close();
    };
    all.add(owner);
    all.join();
  });
}

/// Renewed while others read without end: blocks that are under way are not kept. Where memory is
/// shared, such reads would be data races.
TEST_P(lent_values, are_new_whatever_is_under_way) {
  if (GetParam().world == "local") return;
  expect([](faults& wrong) {
    std::vector<long> data(4000, 0);
    const auto shared = lend(data);
    struct reader {
      lent<long> from;
      channel_in<long> stop;
      channel_out<bool> tell;
      void operator()() const {
        bool right = true;
        alt either{alt::by_priority, stop, skip()};
        std::size_t at = 0;
        long last = 0;
        while (either.wait() == 1) {
          at = (at + 129) % from.size();
          const long seen = from[at];
          right = right && seen >= last;  // what one thread reads never grows older
          last = seen;
          this_thread::yield();
        }
        stop.receive();
        tell.send(right);
      }
    };
    const auto stop = channel_ends<long>::make();
    const auto answer = channel_ends<bool>::make();
    par(on(terrane_nodes() - 1, reader{shared, stop.in, answer.out}), [&] {
      for (long round = 1; round <= 40; ++round) {
        std::ranges::fill(data, round);
        shared.renew();
        this_thread::yield();
      }
      stop.out.send(0);
      wrong.unless(*answer.in.receive());
    });
  });
}

/// A parent with living children, or loans, does not move.
TEST_P(lent_values, keep_their_owner_where_it_is) {
  expect([](faults& wrong) {
    const auto [told, heard] = channel_ends<int>::make();
    int right = 0;
    par(anywhere([told] {
          const bool may = this_thread::can_migrate() == migration::moved;
          std::vector<long> data(10, 7);
          const auto shared = lend(data);
          const bool stays = !may || this_thread::can_migrate() == migration::has_children;
          par([=] { shared[3]; });
          data = {};
          data.shrink_to_fit();
          const bool goes = !may || this_thread::can_migrate() == migration::moved;
          told.send(stays && goes);
        }),
        [&] { right = *heard.receive(); });
    wrong.unless(right == 1);
  });
}

// --- misuse ---

class misused_loans : public run_to_failure {};

/// A branch of a later par still has the value.
template <int Node>
void use_after_the_par() {
  std::vector<long> data(500, 1);
  const auto shared = lend(data);
  par(on(1, [shared] { shared[3]; }));
  par(on(Node, [shared] { shared[3]; }));
}

TEST_F(misused_loans, use_after_the_par) {
  for (const auto code : {use_after_the_par<0>, use_after_the_par<1>})
    expect_failure<in_a_bare_thread>(
        machine_of(2), "R-287: thread branch reads data <0,[0-9]+>, which are no longer lent.*",
        code);
}

TEST_F(misused_loans, renewed_by_another_processor) {
  expect_failure<in_a_bare_thread>(
      machine_of(2), "R-287: thread branch renews data <0,[0-9]+>, which a thread of processor 0.*",
      +[] {
        std::vector<long> data(500, 1);
        const auto shared = lend(data);
        par(on(1, [shared] { shared.renew(); }));
      });
}

TEST_F(misused_loans, an_element_that_is_not_there) {
  expect_failure<in_a_bare_thread>(
      machine_of(1), "R-287: thread test reads elements 5 to 5 of lent data that have 5.*", +[] {
        std::vector<long> data(5, 1);
        lend(data)[5];
      });
}

}  // namespace
}  // namespace terrane
