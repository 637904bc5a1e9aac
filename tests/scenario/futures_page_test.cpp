// SPDX-License-Identifier: Apache-2.0
// futures_page_test.cpp: the examples of docs/futures-and-threads.md, as they stand there
// (tests/command/pages_test.py checks that), and what each of them must come to.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/spawn_anywhere.hpp"
#include "terrane/threads.hpp"
#include "tests/support/thread_program.hpp"

namespace futures_page {
namespace {

using namespace terrane;

long fib(int n) {
  if (n <= 1) return 1;
  auto x = spawn<fib>(n - 1);  // any processor of the machine may take it
  const long y = fib(n - 2);
  return x.join() + y;  // nobody took it: fib is called here
}

long steps_to_one(long n) {
  long steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

long most_steps_below(long n) {
  std::vector<future<long>> all;
  for (long i = 1; i < n; ++i) all.push_back(spawn<steps_to_one>(i));
  long most = 0;
  for (auto& each : all) most = std::max(most, each.join());
  return most;
}

long root_of(long square) {
  if (square < 0) throw std::domain_error("no root of " + std::to_string(square));
  return std::lround(std::sqrt(static_cast<double>(square)));
}

std::string root_in_words(long square) {
  auto root = spawn<root_of>(square);
  try {
    return std::to_string(root.join());
  } catch (const std::exception& why) { return why.what(); }
}

struct board {
  int rows, columns;
};

}  // namespace

struct word {
  std::string text;
  long count = 0;
};
void terrane_pack(terrane::packing& into, const word& one) { into(one.text, one.count); }
void terrane_unpack(terrane::unpacking& from, word& one) { from(one.text, one.count); }

}  // namespace futures_page

template <>
inline constexpr bool terrane::position_independent<futures_page::board> = true;

namespace futures_page {
namespace {

long squares_of(board one) { return long{one.rows} * one.columns; }

std::vector<int> sorted(std::vector<int> all) {
  if (all.size() < 1000) {
    std::sort(all.begin(), all.end());
    return all;
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  auto upper = spawn<sorted>(std::vector<int>(middle, all.end()));  // stays in this node
  const std::vector<int> lower = sorted({all.begin(), middle});
  const std::vector<int> other = upper.join();
  std::merge(lower.begin(), lower.end(), other.begin(), other.end(), all.begin());
  return all;
}

long letters_of(const std::vector<word>& all) {
  long letters = 0;
  for (const word& each : all) letters += each.count * static_cast<long>(each.text.size());
  return letters;
}

long letters_elsewhere(const std::vector<word>& all) {
  return spawn_anywhere<letters_of>(all).join();
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> squares(x.size());
  parallel_for(0, static_cast<int>(x.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    squares[at] = (x[at] - y[at]) * (x[at] - y[at]);
  });
  return std::sqrt(parallel_reduce(
      0, static_cast<int>(x.size()), 0.0,
      [&](int i) { return squares[static_cast<std::size_t>(i)]; }, std::plus<>()));
}

void sort_in_parallel(int* first, int* last) {
  if (last - first < 1000) return std::sort(first, last);
  int* const middle = first + (last - first) / 2;
  std::nth_element(first, middle, last);
  invoke([=] { sort_in_parallel(first, middle); }, [=] { sort_in_parallel(middle, last); });
}

long root_among(scope_ref search, long square, long first, long last) {
  for (long i = first; i < last && !search.cancelled(); ++i)
    if (i * i == square) {
      search.cancel();  // the others need not go on
      return i;
    }
  return -1;
}

long root_by_search(long square) {
  cancel_scope search;
  std::vector<future<long>> parts;
  for (long i = 0; i < 16; ++i)
    parts.push_back(search.spawn(root_among, search.ref(), square, 100 * i, 100 * (i + 1)));
  long found = -1;
  for (auto& each : parts) try {
      found = std::max(found, each.join());
    } catch (const std::exception&) {}  // it had not begun when the root was found
  return found;
}

long both_ways(int n) {
  long left = 0;
  thread helper = thread::create({.name = "helper"}, [&] { left = fib(n); });
  auto right = spawn<fib>(n - 1);
  helper.join();  // blocks this thread; its processor runs the helper, and others
  return left + right.join();
}

}  // namespace
}  // namespace futures_page

namespace terrane {
namespace {

class futures_page_test : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, futures_page_test, small_machines(), machine_name);

TEST_P(futures_page_test, says_what_is_true) {
  expect([](faults& wrong) {
    wrong.unless(futures_page::fib(12) == 233);
    wrong.unless(futures_page::most_steps_below(100) == 118);
    wrong.unless(futures_page::root_in_words(49) == "7");
    wrong.unless(futures_page::root_in_words(-1) == "no root of -1");
    wrong.unless(spawn(futures_page::squares_of, futures_page::board{8, 9}).join() == 72);
    wrong.unless(futures_page::distance({1, 2, 3}, {1, 5, 7}) == 5);
    std::vector<int> numbers(5000);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    futures_page::sort_in_parallel(numbers.data(), numbers.data() + numbers.size());
    wrong.unless(std::is_sorted(numbers.begin(), numbers.end()) && numbers[4999] == 4999);
    wrong.unless(futures_page::sorted({numbers.rbegin(), numbers.rend()}) == numbers);
    wrong.unless(futures_page::letters_elsewhere({{"two", 2}, {"seven", 1}}) == 11);
    wrong.unless(futures_page::root_by_search(1234L * 1234) == 1234);
    wrong.unless(futures_page::both_ways(10) == 89 + 55);
  });
}

}  // namespace
}  // namespace terrane
