// SPDX-License-Identifier: Apache-2.0
// select_test.cpp: a choice among several hand_offs, times and "at once".
#include "terrane/thread/select.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "terrane/thread/create_on.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace select_test {
namespace {

using namespace std::chrono_literals;

class selects : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, selects, small_machines(), machine_name);

TEST_P(selects, what_is_ready_happens_alone) {
  expect([](faults& wrong) {
    hand_off<int> numbers(1);
    hand_off<std::unique_ptr<std::string>> words(1);
    int found = 0;
    auto word = std::make_unique<std::string>("one");
    const auto choose = [&] {
      return select(on_take(numbers, [&](std::optional<int> n) { found = *n; }),
                    on_send(words, word, [&] { found = -1; }), otherwise([&] { found = -2; }));
    };
    wrong.unless(choose() == 1 && found == -1 && !word);
    word = std::make_unique<std::string>("two");
    wrong.unless(choose() == 2 && found == -2 && word && *word == "two");
    numbers.send(7);
    wrong.unless(choose() == 0 && found == 7 && word);
    wrong.unless(**words.take() == "one");
  });
}

TEST_P(selects, a_wait_ends_with_an_item_a_taker_a_close_or_its_time) {
  expect([](faults& wrong) {
    hand_off<int> numbers, others;
    hand_off<std::string> words;
    std::string word = "kept";
    int found = 0;
    const auto choose = [&](how_long time) {
      return select(on_take(numbers, [&](std::optional<int> n) { found = n.value_or(-1); }),
                    on_take(others, [&](std::optional<int>) { wrong.unless(false); }),
                    on_send(words, word, [] {}), on_timeout(time, [] {}));
    };
    wrong.unless(choose(100us) == 3 && word == "kept");
    thread sender([&] { numbers.send(5); });
    wrong.unless(choose(1h) == 0 && found == 5 && word == "kept");
    sender.join();
    thread taker([&] { wrong.unless(*words.take() == "kept"); });
    wrong.unless(choose(1h) == 2);
    taker.join();
    thread closer([&] { numbers.close(); });
    wrong.unless(choose(1h) == 0 && found == -1);
    closer.join();
    wrong.unless(!others.try_receive() && !words.try_receive());  // nobody is left in a queue
    wrong.unless(!others.try_send(1));
  });
}

TEST_P(selects, selects_meet_one_another_in_the_same_queues) {
  expect([](faults& wrong) {
    constexpr int each = 300, parties = 3;
    hand_off<int> a, b(2);
    std::vector<thread> senders, takers;
    std::vector<long> sums(parties);
    std::vector<int> counts(parties);
    for (int i = 0; i < parties; ++i) {
      senders.push_back(thread::create_on(0, {}, [&a, &b] {
        for (int n = 1; n <= each; ++n) {
          int one = n, other = n;
          select(on_send(b, one, [] {}), on_send(a, other, [] {}));
        }
      }));
      takers.push_back(thread::create_on(0, {}, [&a, &b, &sum = sums[i], &count = counts[i]] {
        for (; count < each; ++count)
          select(on_take(a, [&](std::optional<int> n) { sum += *n; }),
                 on_take(b, [&](std::optional<int> n) { sum += *n; }),
                 on_timeout(1h, [&] { sum = -1'000'000; }));
      }));
    }
    for (thread& one : senders) one.join();
    for (thread& one : takers) one.join();
    long all = 0;
    for (const long sum : sums) all += sum;
    wrong.unless(all == parties * each * (each + 1) / 2);
  });
}

TEST_P(selects, cases_that_are_always_ready_share_alike) {
  expect([](faults& wrong) {
    hand_off<int> a(1000), b(1000);
    for (int i = 0; i < 1000; ++i) {
      a.send(i);
      b.send(i);
    }
    const auto counts_of = [&](int(&counts)[2]) {
      for (int i = 0; i < 400; ++i) {
        ++counts[select(on_take(a, [](std::optional<int>) {}),
                        on_take(b, [](std::optional<int>) {}))];
        this_thread::yield();
      }
    };
    int mine[2] = {}, others[2] = {};
    thread other([&] { counts_of(others); });
    counts_of(mine);
    other.join();
    // Binomial with 400 draws: 120 is eight standard deviations away.
    wrong.unless(mine[0] > 120 && mine[1] > 120 && others[0] > 120 && others[1] > 120);
  });
}

TEST_P(selects, an_item_offered_to_two_queues_arrives_once_and_whole) {
  expect([](faults& wrong) {
    for (int round = 0; round < 20; ++round) {
      hand_off<std::string> a, b;
      std::string word = "precious and longer than what a string holds in itself";
      thread taker([&, wanted = word] { wrong.unless((round % 2 == 0 ? a : b).take() == wanted); });
      wrong.unless(select(on_send(a, word, [] {}), on_send(b, word, [] {})) ==
                   static_cast<std::size_t>(round % 2));
      taker.join();
      wrong.unless(!a.try_receive() && !b.try_receive());
    }
  });
}

TEST_P(selects, a_case_may_be_used_again) {
  expect([](faults& wrong) {
    hand_off<std::string> queue(2);
    int taken = 0, none = 0;
    auto take = on_take(queue, [&](std::optional<std::string> word) {
      wrong.unless(word == "once");
      ++taken;
    });
    auto else_where = otherwise([&] { ++none; });
    queue.send("once");
    for (int i = 0; i < 3; ++i) select(take, else_where);
    wrong.unless(taken == 1 && none == 2);
  });
}

}  // namespace
}  // namespace select_test
}  // namespace terrane
