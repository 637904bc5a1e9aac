// SPDX-License-Identifier: Apache-2.0
// algorithms_test.cpp: the parallel algorithms beside those of the standard.
#include "terrane/algorithms.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <list>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/thread_program.hpp"

namespace terrane {
namespace algorithms_test {
namespace {

class algorithms : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, algorithms, small_machines(), machine_name);

constexpr std::size_t sizes[] = {0, 1, 2, 3, 63, 1000, 5000, 33333};

std::vector<int> numbers(std::size_t many, int different = 1 << 30) {
  std::mt19937 random(static_cast<unsigned>(many) + 7);
  std::vector<int> all(many);
  for (int& each : all) each = static_cast<int>(random() % static_cast<unsigned>(different));
  return all;
}

TEST_P(algorithms, for_each_sees_every_element_once) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes) {
      std::vector<int> all(many, 1);
      terrane::for_each(all, [](int& each) { ++each; });
      terrane::for_each(all.begin(), all.end(), [](int& each) { ++each; }, 7);
      wrong.unless(all == std::vector<int>(many, 3));
    }
    std::list<int> row(500, 1);
    terrane::for_each(row, [](int& each) { ++each; });
    wrong.unless(row == std::list<int>(500, 2));
  });
}

TEST_P(algorithms, transform_writes_what_the_standard_would) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes) {
      const std::vector<int> all = numbers(many, 1000);
      std::vector<long> twice(many), found(many);
      for (std::size_t i = 0; i < many; ++i) twice[i] = 2L * all[i];
      const auto end = terrane::transform(all, found.begin(), [](int v) { return 2L * v; });
      wrong.unless(found == twice && end == found.end());
      terrane::transform(all.begin(), all.end(), twice.begin(), found.begin(),
                         [](int one, long other) { return one + other; });
      for (std::size_t i = 0; i < many; ++i) wrong.unless(found[i] == 3L * all[i]);
    }
  });
}

TEST_P(algorithms, reductions_combine_in_order_and_to_the_same_bits) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes) {
      const std::vector<int> all = numbers(many, 1000);
      wrong.unless(terrane::reduce(all, 5L) == std::accumulate(all.begin(), all.end(), 5L));
      wrong.unless(terrane::transform_reduce(all.begin(), all.end(), all.begin(), 0.0) >= 0);
      const auto odd = [](int v) { return v % 2 == 1; };
      wrong.unless(terrane::count_if(all.begin(), all.end(), odd) ==
                   static_cast<std::size_t>(std::count_if(all.begin(), all.end(), odd)));
      wrong.unless(terrane::min_element(all.begin(), all.end()) ==
                   std::min_element(all.begin(), all.end()));
      wrong.unless(terrane::max_element(all.begin(), all.end()) ==
                   std::max_element(all.begin(), all.end()));
    }
    std::vector<std::string> words;
    std::string text = "begin";
    for (int i = 0; i < 3000; ++i) text += words.emplace_back(std::to_string(i));
    wrong.unless(terrane::reduce(words, std::string("begin")) == text);
    std::vector<double> thirds(100'000);
    for (std::size_t i = 0; i < thirds.size(); ++i) thirds[i] = 1.0 / static_cast<double>(3 + i);
    const double once = terrane::reduce(thirds, 0.0);
    for (int i = 0; i < 5; ++i) wrong.unless(terrane::reduce(thirds, 0.0) == once);
  });
}

TEST_P(algorithms, searches_find_the_first) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes) {
      const std::vector<int> all = numbers(many, static_cast<int>(many) / 2 + 1);
      for (const int wanted : {0, 1, static_cast<int>(many), 17})
        wrong.unless(terrane::find(all.begin(), all.end(), wanted) ==
                     std::find(all.begin(), all.end(), wanted));
      wrong.unless(terrane::all_of(all.begin(), all.end(), [](int v) { return v >= 0; }));
      wrong.unless(terrane::none_of(all.begin(), all.end(), [](int v) { return v < 0; }));
      wrong.unless(!terrane::any_of(all.begin(), all.end(), [](int v) { return v < 0; }));
    }
  });
}

TEST_P(algorithms, a_search_ends_early) {
  expect([](faults& wrong) {
    std::vector<int> all(1'000'000);
    all[3] = 1;
    atomic<std::size_t> looked{0};
    const auto found = terrane::find_if(all.begin(), all.end(), [&](int v) {
      looked.fetch_add(1, memory_order_relaxed);
      return v == 1;
    });
    wrong.unless(found == all.begin() + 3);
    // Its piece is the first that this thread runs; others run some before they learn of it.
    if (terrane_processors() == 1) wrong.unless(looked.load(memory_order_relaxed) < 100'000);
  });
}

TEST_P(algorithms, scans_are_those_of_the_standard) {
  expect([](faults& wrong) {
    for (const std::size_t many : {0, 1, 2, 4096, 4097, 33333, 300'000}) {
      const std::vector<int> all = numbers(many, 1000);
      std::vector<long> wide(all.begin(), all.end()), expected(many), found(many);
      std::inclusive_scan(wide.begin(), wide.end(), expected.begin());
      const auto end = terrane::inclusive_scan(wide.begin(), wide.end(), found.begin());
      wrong.unless(found == expected && end == found.end());
      terrane::inclusive_scan(all.begin(), all.end(), found.begin(), std::plus<>(), 7L);
      for (long& each : expected) each += 7;
      wrong.unless(found == expected);
      std::exclusive_scan(wide.begin(), wide.end(), expected.begin(), 3L);
      terrane::exclusive_scan(wide.begin(), wide.end(), found.begin(), 3L);
      wrong.unless(found == expected);
      terrane::exclusive_scan(wide.begin(), wide.end(), wide.begin(), 3L);  // in place
      wrong.unless(wide == expected);
    }
  });
}

TEST_P(algorithms, scans_keep_the_order) {
  expect([](faults& wrong) {
    std::vector<std::string> letters(9000);
    for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = i % 900 == 0 ? "x" : "";
    letters[8999] = "end";
    std::vector<std::string> found(letters.size());
    terrane::inclusive_scan(letters.begin(), letters.end(), found.begin());
    wrong.unless(found[8998] == std::string(10, 'x') && found[8999] == found[8998] + "end");
  });
}

TEST_P(algorithms, sort_sorts) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes)
      for (const int different : {1, 2, 10, 1 << 30}) {
        std::vector<int> all = numbers(many, different), expected = all;
        std::sort(expected.begin(), expected.end());
        terrane::sort(all);
        wrong.unless(all == expected);
        terrane::sort(all, std::greater<>());  // already in order, the other way round
        std::reverse(expected.begin(), expected.end());
        wrong.unless(all == expected);
      }
    std::deque<std::unique_ptr<int>> owners;
    for (const int each : numbers(4000)) owners.push_back(std::make_unique<int>(each));
    const auto less = [](const auto& one, const auto& other) { return *one < *other; };
    terrane::sort(owners, less);
    wrong.unless(std::is_sorted(owners.begin(), owners.end(), less));
  });
}

TEST_P(algorithms, stable_sort_keeps_the_order_of_equals) {
  expect([](faults& wrong) {
    using item = std::pair<int, std::string>;
    for (const std::size_t many : sizes)
      for (const int different : {1, 5, 1 << 30}) {
        std::vector<item> all, expected;
        for (const int each : numbers(many, different))
          all.emplace_back(each, std::to_string(all.size()));
        expected = all;
        std::sort(expected.begin(), expected.end(), [](const item& one, const item& other) {
          return one.first != other.first ? one.first < other.first
                                          : std::stol(one.second) < std::stol(other.second);
        });
        terrane::stable_sort(
            all, [](const item& one, const item& other) { return one.first < other.first; });
        wrong.unless(all == expected);
      }
    std::vector<std::unique_ptr<int>> owners;
    for (const int each : numbers(4000)) owners.push_back(std::make_unique<int>(each));
    const auto less = [](const auto& one, const auto& other) { return *one < *other; };
    terrane::stable_sort(owners, less);
    wrong.unless(std::is_sorted(owners.begin(), owners.end(), less));
  });
}

TEST_P(algorithms, merge_is_stable) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes) {
      std::vector<int> a = numbers(many, 100), b = numbers(many / 3 + 1, 100);
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::vector<std::pair<int, int>> one, other;
      for (const int each : a) one.emplace_back(each, 0);
      for (const int each : b) other.emplace_back(each, 1);
      std::vector<std::pair<int, int>> both(one.size() + other.size()), expected(both.size());
      const auto less = [](const auto& x, const auto& y) { return x.first < y.first; };
      std::merge(one.begin(), one.end(), other.begin(), other.end(), expected.begin(), less);
      const auto end =
          terrane::merge(one.begin(), one.end(), other.begin(), other.end(), both.begin(), less);
      wrong.unless(both == expected && end == both.end());
    }
  });
}

TEST_P(algorithms, partition_divides) {
  expect([](faults& wrong) {
    for (const std::size_t many : sizes)
      for (const int limit : {0, 1, 50, 99, 100}) {
        std::vector<int> all = numbers(many, 100), before = all;
        const auto small = [limit](int v) { return v < limit; };
        const auto middle = terrane::partition(all.begin(), all.end(), small);
        wrong.unless(std::all_of(all.begin(), middle, small));
        wrong.unless(std::none_of(middle, all.end(), small));
        wrong.unless(std::is_permutation(all.begin(), all.end(), before.begin()) || many > 1000);
      }
  });
}

TEST_P(algorithms, pass_exceptions_on) {
  expect([](faults& wrong) {
    std::vector<int> all(5000);
    all[4321] = 1;
    try {
      terrane::for_each(all, [](int v) {
        if (v == 1) throw std::domain_error("one");
      });
      wrong.unless(false);
    } catch (const std::domain_error&) {}
  });
}

template <class Index>
void count_to_the_ends(faults& wrong, Index first, Index last, unsigned long expected) {
  atomic<unsigned long> seen{0};
  parallel_for(first, last, [&](Index) { seen.fetch_add(1, memory_order_relaxed); });
  wrong.unless(seen.load(memory_order_relaxed) == expected);
  const auto one = [](Index) { return 1UL; };
  wrong.unless(parallel_reduce(first, last, 0UL, one, std::plus<>()) == expected);
}

TEST_P(algorithms, loops_reach_the_ends_of_their_index_type) {
  expect([](faults& wrong) {
    count_to_the_ends<signed char>(wrong, -128, 127, 255);
    count_to_the_ends<unsigned char>(wrong, 0, 255, 255);
    count_to_the_ends<short>(wrong, -32768, 32767, 65535);
    constexpr unsigned most = std::numeric_limits<unsigned>::max();
    count_to_the_ends<unsigned>(wrong, most - 1500, most, 1500);
    constexpr long low = std::numeric_limits<long>::min();
    count_to_the_ends<long>(wrong, low, low + 1500, 1500);
    count_to_the_ends<int>(wrong, 3, -3, 0);
    // A range of more elements than an int can count: it is divided, as its pieces show.
    atomic<int> pieces{0};
    parallel_for(blocked_range<int>(-1'200'000'000, 1'200'000'000), [&](const auto& block) {
      wrong.unless(block.size() <= 2'400'000'000U / 1024 + 1);
      pieces.fetch_add(1, memory_order_relaxed);
    });
    wrong.unless(pieces.load(memory_order_relaxed) == 1024);
  });
}

TEST_P(algorithms, blocks_cover_two_and_three_dimensions) {
  expect([](faults& wrong) {
    for (const std::size_t grain : {std::size_t{0}, std::size_t{4}}) {
      std::vector<int> plane(40 * 70);
      parallel_for(blocked_range2d<int>(0, 40, grain, 0, 70, grain), [&](const auto& block) {
        wrong.unless(grain == 0 || (block.rows().size() <= 4 && block.cols().size() <= 4));
        for (int i = block.rows().begin(); i < block.rows().end(); ++i)
          for (int j = block.cols().begin(); j < block.cols().end(); ++j)
            ++plane[static_cast<std::size_t>(70 * i + j)];
      });
      wrong.unless(plane == std::vector<int>(40 * 70, 1));
    }
    const long sum = parallel_reduce(
        blocked_range3d<int>(0, 5, -3, 9, 10, 30), 0L,
        [](const auto& block, long so_far) {
          return so_far + static_cast<long>(block.pages().size()) * block.rows().size() *
                              block.cols().size();
        },
        std::plus<>());
    wrong.unless(sum == 5 * 12 * 20);
    parallel_for(blocked_range2d<int>(0, 0, 0, 9), [&](const auto&) { wrong.unless(false); });
  });
}

}  // namespace
}  // namespace algorithms_test
}  // namespace terrane
