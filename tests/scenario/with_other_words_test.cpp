// SPDX-License-Identifier: Apache-2.0
// with_other_words_test.cpp: the lines of docs/coming-from.md, as they stand there
// (tests/command/pages_test.py checks that).
#include <unistd.h>

#include <chrono>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/coroutines.hpp"
#include "terrane/runtime.hpp"
#include "terrane/thread/enumerable.hpp"
#include "terrane/thread/latch.hpp"
#include "terrane/thread/pipeline.hpp"
#include "terrane/thread/select.hpp"
#include "terrane/thread/spawn_anywhere.hpp"
#include "terrane/thread/task_graph.hpp"
#include "terrane/thread/task_group.hpp"
#include "terrane/threads.hpp"
#include "tests/support/thread_program.hpp"

namespace other_words {

struct word {
  std::string text;
  long count = 0;
};
// clang-format off
void terrane_pack(terrane::packing& into, const word& one) { into(one.text, one.count); }
void terrane_unpack(terrane::unpacking& from, word& one) { from(one.text, one.count); }
// clang-format on

namespace {

using namespace terrane;
using namespace std::chrono_literals;

long fib(int n) { return n <= 1 ? 1 : fib(n - 1) + fib(n - 2); }
long length(const std::string& text) { return static_cast<long>(text.size()); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }

// clang-format off: the lines are those of the page

void from_onetbb(faults& wrong) {
  const int n = 100;
  std::vector<double> x(100, 1.0), y(100, 2.0);
  std::list<int> list(10, 1);
  long sum = 0;
  double total = 0;
  std::atomic<int> ran{0};
  const auto one = [&] { ++ran; };
  const auto other = [&] { ++ran; };
  const auto f = [&](int) { ++ran; };
  const auto work = [&](const auto& block) {
    ran += static_cast<int>(block.rows().size() * block.cols().size());
  };
  const auto body = [](const auto& block, long so_far) {
    return so_far + static_cast<long>(block.size());
  };

  parallel_for(0, n, [&](int i) { y[at(i)] += 2 * x[at(i)]; });
  parallel_for(blocked_range2d<int>(0, n, 0, n), [&](const auto& block) { work(block); });
  sum = parallel_reduce(blocked_range<int>(0, n), 0L, body, std::plus<>());
  total = terrane::reduce(y, 0.0);
  wrong.unless(sum == 100 && total == 400 && ran == 10'000);
  terrane::inclusive_scan(x.begin(), x.end(), y.begin());
  terrane::sort(x);
  terrane::for_each(list, f);
  invoke(one, other);
  task_group group; group.run(one); group.wait();
  int made = 0, seen = 0;
  const auto source = [&] { return made < 10 ? std::optional<int>(made++) : std::nullopt; };
  const auto middle = [](int v) { return 2L * v; };
  const auto sink = [&](long v) { seen += static_cast<int>(v); };
  pipeline(8, serial_in_order(source), parallel(middle), serial_in_order(sink));
  task_graph graph;
  const auto second = graph.add(other, {graph.add(one)});
  graph.precede(second, graph.add(one));
  graph.run();
  enumerable<long> all;
  all.local() += 1;
  wrong.unless(y[99] == 100 && ran == 10'000 + 10 + 2 + 1 + 3 && seen == 90);
}

void from_cilk(faults& wrong) {
  const int n = 20;
  std::vector<double> x(20, 1.0), y(20);
  long sum = 0;
  task_group group;
  auto later = spawn<fib>(n - 1);
  sum = later.join();
  wrong.unless(sum == 6765);
  sum = parallel_reduce(0, n, 0L, [&](int i) { return long{i}; }, std::plus<>());
  for (int i = 0; i < n; ++i) group.run([&, i] { y[at(i)] = i; });
  group.wait();
  wrong.unless(sum == 190 && y[19] == 19);
}

void from_rayon(faults& wrong) {
  std::vector<double> y(1000, 3.0);
  y[700] = 9;
  double total = 0;
  const auto f = [](double& v) { v += 1; };
  const auto square = [](double v) { return v * v; };
  const auto is_large = [](double v) { return v > 5; };
  terrane::for_each(y, f);
  total = terrane::transform_reduce(y.begin(), y.end(), 0.0, std::plus<>(), square);
  auto found = terrane::find_if(y.begin(), y.end(), is_large);
  bool any = terrane::any_of(y.begin(), y.end(), is_large);
  wrong.unless(found == y.begin() + 700 && any && total == 999 * 16 + 100);
  terrane::stable_sort(y);
  terrane::sort(y);
  wrong.unless(y[999] == 10);
}

task<long> awaited(shared_future<long> passed) {
  const long value = co_await passed;
  co_return value;
}

void from_hpx(faults& wrong) {
  const int n = 10;
  shared_future<long> passed = async(fib, n);
  auto text = passed.then([](long value) { return std::to_string(value); });
  auto both = when_all(passed, passed);
  promise<int> made;
  made.set_value(1);
  auto anywhere = spawn_anywhere<length>(std::string("text"));
  wrong.unless(anywhere.join() == 4 && text.get() == "89" && std::get<1>(both.get()).get() == 89);
  wrong.unless(start(awaited(passed)).get() == 89 && packable<word>);
}

void from_go(faults& wrong) {
  long sum = 0;
  const int x = 3;
  latch all_done(2);
  hand_off<int> numbers(4);
  mutex lock;
  const auto f = [&](int by) {
    const std::lock_guard hold(lock);
    sum += by;
    all_done.count_down();
  };
  thread helper(f, x);
  all_done.count_down();
  all_done.wait();
  numbers.send(1);
  numbers.send(2);
  numbers.send(3);
  numbers.send(4);
  std::optional<int> next = numbers.take();
  if (const auto each = numbers.try_receive()) sum += *each;
  if (const auto each = numbers.receive_for(1ms)) sum += *each;
  hand_off<int> others(1);
  int nine = 9;
  const auto add = [&](std::optional<int> item) { sum += item.value_or(0); };
  select(on_take(numbers, add), on_send(others, nine, [] {}));
  if (others.try_receive()) sum += *numbers.take();
  numbers.close();
  while (const auto each = numbers.take()) sum += *each;
  this_thread::sleep_for(1ms);
  this_thread::yield();
  const long got = blocking([&] { return static_cast<long>(getpid()); });
  wrong.unless(sum == 3 + 2 + 3 + 4 && *next == 1 && got == getpid());
}

TEST(other_words_outside, the_line_about_arenas) {
  terrane::runtime machine(4);
  EXPECT_EQ(machine.submit(fib, 5).get(), 8);
}

// clang-format on

class other_words_test : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, other_words_test, small_machines(), machine_name);

TEST_P(other_words_test, say_what_they_did_there) {
  expect([](faults& wrong) {
    from_onetbb(wrong);
    from_cilk(wrong);
    from_rayon(wrong);
    from_hpx(wrong);
    from_go(wrong);
  });
}

}  // namespace
}  // namespace other_words
