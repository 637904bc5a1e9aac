// SPDX-License-Identifier: Apache-2.0
// with_ends_test.cpp: channels between threads: order, sizes, hand-over, closing, choices, and
// branches of par, on every small machine.
#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/c/terrane_channel_end.h"
#include "terrane/core/node.hpp"
#include "terrane/thread/alt.hpp"
#include "terrane/thread/par.hpp"
#include "terrane/thread/thread_id.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class ends_of_channels : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, ends_of_channels, small_machines(), machine_name);

node_id last_node() { return terrane_nodes() - 1; }

/// Adds up what comes, which must be 0, 1, 2, ...; -1: it was not.
long sum_in_order(const channel_in<long>& in) {
  long sum = 0, next = 0;
  while (const auto each = in.receive()) {
    if (*each != next++) return -1;
    sum += *each;
  }
  return sum;
}

void send_up_to(const channel_out<long>& out, long count) {
  for (long i = 0; i < count; ++i) out.send(i);
  out.close();
}

TEST_P(ends_of_channels, bring_items_in_order_to_any_node) {
  expect([](faults& wrong) {
    for (const node_id sends : {node_id{0}, last_node()})
      for (const node_id receives : {node_id{0}, last_node()}) {
        const auto [out, in] = channel_ends<long>::make();
        const auto [told, heard] = channel_ends<long>::make();
        long sum = 0;
        par([&] { sum = heard.receive().value_or(-2); }, on(sends, [out] { send_up_to(out, 300); }),
            on(receives, [in, told] { told.send(sum_in_order(in)); }));
        wrong.unless(sum == 300 * 299 / 2);
      }
  });
}

/// As the first example of docs/channels.md.
TEST_P(ends_of_channels, stay_with_threads_of_one_processor) {
  expect([](faults& wrong) {
    const auto [out, in] = channel_ends<long>::make();
    long sum = 0;
    par([=] { send_up_to(out, 1000); }, [&] { sum = sum_in_order(in); });
    wrong.unless(sum == 1000 * 999 / 2);
  });
}

TEST_P(ends_of_channels, bring_items_of_any_size) {
  expect([](faults& wrong) {
    const auto [out, in] = channel_ends<int>::make();
    const auto [told, heard] = channel_ends<int>::make();
    par(
        [=] {
          for (const std::size_t size : {0u, 1u, 17u, 1000u, 100'000u, 3u}) {
            std::vector<int> items(size);
            std::iota(items.begin(), items.end(), static_cast<int>(size));
            out.send_all(items);
          }
          out.close();
        },
        [&] { wrong.unless(heard.receive() == 6); }, on(last_node(), [in, told] {
          std::vector<int> items(100'000);
          int right = 0;
          while (const auto size = in.receive_all(items)) {
            bool ok = true;
            for (std::size_t i = 0; i < *size; ++i)
              ok = ok && items[i] == static_cast<int>(*size + i);
            right += ok;
          }
          told.send(right);
        }));
  });
}

TEST_P(ends_of_channels, are_handed_over_by_sending_them) {
  expect([](faults& wrong) {
    const auto [out, in] = channel_ends<long>::make();
    const auto [give, take] = channel_ends<channel_in<long>>::make();
    const auto [told, heard] = channel_ends<long>::make();
    par([=] { send_up_to(out, 30); },
        [=] {
          for (long i = 0; i < 10; ++i)
            if (in.receive() != i) return;  // then the sum is wrong
          give.send(in);
        },
        on(last_node(),
           [take, told] {
             const auto mine = take.receive();
             long sum = 0;
             while (const auto each = mine->receive()) sum += *each;
             told.send(sum);
           }),
        [&] { wrong.unless(heard.receive() == 30 * 29 / 2 - 10 * 9 / 2); });
  });
}

TEST_P(ends_of_channels, tell_the_sender_that_the_receiver_has_closed) {
  expect([](faults& wrong) {
    for (const node_id receives : {node_id{0}, last_node()}) {
      const auto [out, in] = channel_ends<long>::make();
      long sent = 0;
      par(
          [&] {
            while (out.send(sent)) ++sent;
            wrong.unless(!out.send(0));
          },
          on(receives, [in] {
            for (int i = 0; i < 5; ++i) in.receive();
            in.close();
          }));
      wrong.unless(sent == 5);
    }
  });
}

TEST_P(ends_of_channels, belong_to_nobody_when_their_thread_has_ended) {
  expect([](faults& wrong) {
    const auto [out, in] = channel_ends<long>::make();
    for (long round = 0; round < 6; ++round) {
      const auto node = static_cast<node_id>(round) % terrane_nodes();
      long got = -1;
      par(on(node, [=] { out.send(round); }), [&] { got = in.receive().value_or(-2); });
      wrong.unless(got == round);
    }
    out.close();
    wrong.unless(!in.receive());
  });
}

/// A star: many senders on all nodes, one receiver that chooses.
TEST_P(ends_of_channels, are_chosen_among_by_alt) {
  expect([](faults& wrong) {
    constexpr int senders = 6, items = 40;
    std::array<channel_in<long>, senders> ins;
    std::array<channel_out<long>, senders> outs;
    std::vector<choice> guards;
    for (int i = 0; i < senders; ++i) {
      const auto made = channel_ends<long>::make();
      ins[static_cast<std::size_t>(i)] = made.in;
      outs[static_cast<std::size_t>(i)] = made.out;
      guards.push_back(made.in);
    }
    std::array<long, senders> next{};
    const auto send = [](channel_out<long> out) { return [out] { send_up_to(out, items); }; };
    par(on(0, send(outs[0])), on(last_node(), send(outs[1])), anywhere(send(outs[2])),
        send(outs[3]), on(last_node() / 2, send(outs[4])), on(last_node(), send(outs[5])), [&] {
          alt any(guards);
          for (int left = senders; left != 0;) {
            const std::size_t which = any.wait();
            if (const auto item = ins[which].receive()) {
              wrong.unless(*item == next[which]++);
            } else {
              any.enable(which, false);
              --left;
            }
          }
        });
    for (const long each : next) wrong.unless(each == items);
  });
}

TEST_P(ends_of_channels, are_passed_over_when_time_is_up) {
  expect([](faults& wrong) {
    const auto [out, in] = channel_ends<long>::make();
    const auto [go, come] = channel_ends<long>::make();
    par(on(last_node(),
           [out, come] {
             come.receive();
             out.send(7);
           }),
        [&] {
          alt either{in, after(20'000)};
          wrong.unless(either.wait() == 1);
          alt now{in, skip()};
          wrong.unless(now.wait() == 1);
          alt never{when(false, in), after(1000)};
          wrong.unless(never.wait() == 1);
          go.send(1);
          alt at_last{alt::by_priority, in, after(3'000'000'000'000)};
          wrong.unless(at_last.wait() == 0 && in.receive() == 7);
        });
  });
}

TEST_P(ends_of_channels, of_a_ring_pass_a_number_round) {
  expect([](faults& wrong) {
    constexpr int members = 5, rounds = 20;
    std::array<channel_out<long>, members> outs;
    std::array<channel_in<long>, members> ins;
    for (std::size_t i = 0; i < members; ++i) {
      const auto made = channel_ends<long>::make();
      outs[i] = made.out;
      ins[(i + 1) % members] = made.in;
    }
    const auto member = [&](std::size_t i) {
      return [in = ins[i], out = outs[i]] {
        for (int round = 0; round < rounds; ++round) out.send(in.receive().value() + 1);
      };
    };
    long seen = 0;
    const auto nodes = terrane_nodes();
    par(on(1 % nodes, member(1)), on(2 % nodes, member(2)), on(3 % nodes, member(3)),
        anywhere(member(4)), [&] {
          for (int round = 0; round < rounds; ++round) {
            outs[0].send(seen);
            seen = ins[0].receive().value();
          }
        });
    wrong.unless(seen == rounds * (members - 1));
  });
}

TEST_P(ends_of_channels, branches_end_with_codes_and_exceptions) {
  expect([](faults& wrong) {
    const auto codes = par([] {}, [] { this_thread::exit(3); },
                           on(last_node(), [] { this_thread::exit(4); }), anywhere([] {}));
    wrong.unless(codes == std::vector<int>{0, 3, 0 + 4, 0});
    int ran = 0;
    try {
      par(3, [&](int i) {
        ++ran;
        if (i != 0) throw std::runtime_error("branch " + std::to_string(i));
      });
      wrong.unless(false);
    } catch (const std::runtime_error& thrown) {
      wrong.unless(std::string(thrown.what()) == "branch 1");
    }
    wrong.unless(ran == 3);
    try {
      par(on(last_node(), [] { throw std::runtime_error("far away"); }));
      wrong.unless(false);
    } catch (const std::runtime_error& thrown) {
      wrong.unless(std::string(thrown.what()) == "far away");
    }
  });
}

TEST_P(ends_of_channels, threads_have_names) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    wrong.unless(me != no_thread && me.home() == 0 && me == this_thread::id());
    wrong.unless(me.text().starts_with("<0,"));
    const auto [out, in] = channel_ends<thread_id>::make();
    thread_id other;
    par(on(last_node(), [=] { out.send(this_thread::id()); }),
        [&] { other = in.receive().value(); });
    wrong.unless(terrane_node_of(other.home()) == last_node() && other != me);
  });
}

// --- in C ---

struct pair_in_c {
  terrane_channel_end out, in;
  long sum = 0;
};

void send_or_receive(int i, void* about) {
  auto& both = *static_cast<pair_in_c*>(about);
  if (i == 0) {
    for (long item = 0; item < 10; ++item) terrane_channel_end_send(both.out, &item, sizeof item);
    terrane_channel_end_close(both.out);
  } else {
    long item;
    while (terrane_channel_end_receive(both.in, &item, sizeof item) == sizeof item)
      both.sum += item;
  }
}

TEST_P(ends_of_channels, have_a_form_in_c) {
  expect([](faults& wrong) {
    pair_in_c both;
    terrane_channel_ends_new(&both.out, &both.in);
    terrane_par(2, send_or_receive, &both);
    wrong.unless(both.sum == 45);
  });
}

}  // namespace
}  // namespace terrane
