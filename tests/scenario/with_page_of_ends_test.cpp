// SPDX-License-Identifier: Apache-2.0
// with_page_of_ends_test.cpp: the examples of docs/channels.md, as they stand there
// (tests/command/pages_test.py checks that), and what each of them must come to.
#include <vector>

#include "terrane/thread/alt.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/par.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {

struct record {
  long number;
  double value;
};
template <>
inline constexpr bool position_independent<record> = true;

namespace {

class page_of_ends : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, page_of_ends, small_machines(), machine_name);

double sum_on_another_node(long count, node_id node) {
  const auto [out, in] = channel_ends<record>::make();
  const auto [answer, sum] = channel_ends<double>::make();
  double result = 0;
  par(
      [&] {
        for (long i = 0; i < count; ++i) out.send({i, 0.5});
        out.close();
        result = *sum.receive();
      },
      on(node, [in, answer] {
        double all = 0;
        while (const auto next = in.receive()) all += next->value;
        answer.send(all);
      }));
  return result;
}

/// Passes on what comes from either side, until both are closed.
long merge(channel_in<long> left, channel_in<long> right, channel_out<long> out) {
  const channel_in<long> sides[] = {left, right};
  long passed = 0;
  alt either{left, right};
  for (int open = 2; open != 0;) {
    const std::size_t which = either.wait();
    if (const auto item = sides[which].receive()) {
      out.send(*item);
      ++passed;
    } else {
      either.enable(which, false);
      --open;
    }
  }
  out.close();
  return passed;
}

/// Takes what is there, and does not wait for more.
long take_what_is_there(channel_in<long> in) {
  long taken = 0;
  alt poll{alt::by_priority, in, skip()};
  while (poll.wait() == 0 && in.receive()) ++taken;
  return taken;
}

/// A server is asked through a channel, and answers through the end that the question brings.
struct question {
  long number;
  channel_out<long> answer;
};

}  // namespace

template <>
inline constexpr bool position_independent<question> = true;
template <>
struct ends_in<question> {
  static void give_up(const question& one) { one.answer.give_up(); }
};

namespace {

void serve_squares(channel_in<question> questions) {
  while (const auto next = questions.receive()) {
    next->answer.send(next->number * next->number);
    next->answer.close();
  }
}

long ask_for_square(channel_out<question> server, long number) {
  const auto [out, in] = channel_ends<long>::make();
  server.send({number, out});
  return *in.receive();
}

/// A thread that follows its data: the channel stays open while it moves.
void walk(channel_in<long> in, channel_out<long> out) {
  while (const auto next = in.receive()) {
    this_thread::push_self(static_cast<node_id>(*next) % terrane_nodes());
    out.send(*next * 2);
  }
  out.close();
}

/// The children read the parent's table; it changes the table between two rounds.
double sum_of_lent(std::vector<double>& table, node_id node) {
  const auto shared = lend(table);
  const auto [round, next] = channel_ends<int>::make();
  const auto [answer, sums] = channel_ends<double>::make();
  double all = 0;
  par(on(node,
         [shared, in = next, out = answer] {
           while (in.receive()) {
             double sum = 0;
             for (std::size_t i = 0; i < shared.size(); ++i) sum += shared[i];
             out.send(sum);
           }
         }),
      [&, out = round, in = sums] {
        for (int i = 0; i < 2; ++i) {
          out.send(i);
          all += *in.receive();
          table[0] += 1000;
          shared.renew();
        }
        out.close();
      });
  return all;
}

TEST_P(page_of_ends, is_right) {
  expect([](faults& wrong) {
    wrong.unless(sum_on_another_node(20, terrane_nodes() - 1) == 10);

    const auto a = channel_ends<long>::make(), b = channel_ends<long>::make(),
               c = channel_ends<long>::make();
    const auto send_three = [](channel_out<long> out) {
      for (long i = 0; i < 3; ++i) out.send(i);
      out.close();
    };
    long sum = 0, there = 0, square = 0, walked = 0;
    par([=] { send_three(a.out); }, [=] { send_three(b.out); },
        [&] { wrong.unless(merge(a.in, b.in, c.out) == 6); },
        [&] {
          while (const auto each = c.in.receive()) sum += *each;
        });
    wrong.unless(sum == 6);

    const auto d = channel_ends<long>::make();
    par([=] { send_three(d.out); },
        [&] {
          this_thread::yield();
          there = take_what_is_there(d.in);
          d.in.close();
        });
    wrong.unless(there <= 3);

    const auto server = channel_ends<question>::make();
    par(on(terrane_nodes() - 1, [in = server.in] { serve_squares(in); }), [&] {
      square = ask_for_square(server.out, 12);
      server.out.close();
    });
    wrong.unless(square == 144);

    const auto e = channel_ends<long>::make(), f = channel_ends<long>::make();
    par(anywhere([in = e.in, out = f.out] { walk(in, out); }), [&] {
      for (long i = 0; i < 12; ++i) {
        e.out.send(i);
        walked += *f.in.receive();
      }
      e.out.close();
    });
    wrong.unless(walked == 11 * 12);

    std::vector<double> table(300, 1);
    wrong.unless(sum_of_lent(table, terrane_nodes() - 1) == 300 + 1300);
  });
}

}  // namespace
}  // namespace terrane
