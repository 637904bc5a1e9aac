// SPDX-License-Identifier: Apache-2.0
// with_coroutines_page_test.cpp: the examples of docs/coroutines.md, as they stand there, and what
// each of them must come to.
#include <chrono>
#include <string>
#include <vector>

#include "terrane/coroutines.hpp"
#include "tests/support/thread_program.hpp"

namespace coroutines_page {
namespace {

using namespace terrane;
using namespace std::chrono_literals;

task<long> length_of(shared_future<std::string> name) {
  co_await pause_for(1ms);
  const std::string& text = co_await name;
  co_return static_cast<long>(text.size());
}

task<long> length_of_both(shared_future<std::string> one, shared_future<std::string> other) {
  const long first = co_await length_of(one);
  co_return first + co_await length_of(other);
}

long lengths() {
  promise<std::string> name;
  shared_future<long> length = start(length_of_both(name.get_future(), name.get_future()));
  name.set_value("Ada");
  return length.get();  // this thread waits; its processor runs the coroutine
}

long square(long n) { return n * n; }

task<long> sum_at(std::vector<global<long>> places) {
  long sum = 0;
  for (const global<long> place : places) sum += co_await fetched(place);
  co_return sum + co_await spawn<square>(3);
}

task<long> sum_of(channel<int> way) {
  long sum = 0;
  while (const int item = co_await received(way)) sum += item;
  co_return sum;
}
task<void> count_to(channel<int> way, int last) {
  for (int item = 1; item <= last; ++item) co_await sent(way, item);
  co_await sent(way, 0);
}

}  // namespace
}  // namespace coroutines_page

namespace terrane {
namespace {

class coroutines_page_test : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, coroutines_page_test, small_machines(), machine_name);

TEST_P(coroutines_page_test, says_what_is_true) {
  expect([](faults& wrong) {
    wrong.unless(coroutines_page::lengths() == 6);
    long one = 1, two = 2;
    const std::vector<global<long>> places{{terrane_to_global(&one)}, {terrane_to_global(&two)}};
    wrong.unless(start(coroutines_page::sum_at(places)).get() == 12);
    const auto way = channel<int>::make(2);
    auto sum = start(coroutines_page::sum_of(way));
    start(coroutines_page::count_to(way, 100)).get();
    wrong.unless(sum.get() == 5050);
    way.free();
  });
}

}  // namespace
}  // namespace terrane
