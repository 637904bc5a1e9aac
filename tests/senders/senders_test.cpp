// SPDX-License-Identifier: Apache-2.0
// senders_test.cpp: terrane/senders.hpp under the algorithms of stdexec. It is built where
// STDEXEC_DIR names a checkout (docs/senders.md).
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "terrane/senders.hpp"
#include "terrane/thread/future.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace senders_test {
namespace {

static_assert(stdexec::scheduler<scheduler>);
static_assert(stdexec::sender<scheduler::sender>);
static_assert(stdexec::sender_in<scheduler::sender, detail::waiting_environment>);

long fib(int n) {
  if (n <= 1) return n;
  auto x = spawn<fib>(n - 1);
  const long y = fib(n - 2);
  return x.join() + y;
}

class senders : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, senders, small_machines(), machine_name);

TEST_P(senders, values_of_several_senders_come_together) {
  expect([](faults& wrong) {
    const scheduler here;
    auto both =
        stdexec::when_all(stdexec::schedule(here) | stdexec::then([] { return fib(15); }),
                          stdexec::schedule(here) | stdexec::then([] { return fib(16); }) |
                              stdexec::let_value([](long& x) { return stdexec::just(x, 'c'); }));
    const auto found = sync_wait(std::move(both));
    wrong.unless(found && std::get<0>(*found) == 610 && std::get<1>(*found) == 987);
    wrong.unless(std::get<2>(*found) == 'c');
  });
}

TEST_P(senders, work_moves_to_a_scheduler_and_on_from_one) {
  expect([](faults& wrong) {
    const auto in_thread = [] { return thread_block::current() != nullptr; };
    const scheduler here;
    const auto started = sync_wait(stdexec::starts_on(here, stdexec::just(5)) |
                                   stdexec::then([&](int n) { return n + in_thread(); }));
    wrong.unless(std::get<0>(*started) == 6);
    const auto gone_on = sync_wait(stdexec::just(7) | stdexec::continues_on(here) |
                                   stdexec::then([&](int n) { return n + in_thread(); }));
    wrong.unless(std::get<0>(*gone_on) == 8);
    std::vector<int> all(100);
    sync_wait(stdexec::schedule(here) | stdexec::bulk(stdexec::par, 100, [&](int i) {
                all[static_cast<std::size_t>(i)] = i;
              }));
    wrong.unless(std::accumulate(all.begin(), all.end(), 0) == 4950);
  });
}

TEST_P(senders, errors_and_stops_reach_who_waits) {
  expect([](faults& wrong) {
    const scheduler here;
    bool caught = false;
    try {
      sync_wait(stdexec::schedule(here) | stdexec::then([] { throw std::runtime_error("x"); }));
    } catch (const std::runtime_error&) { caught = true; }
    wrong.unless(caught);
    stdexec::inplace_stop_source source;
    source.request_stop();
    const auto never =
        sync_wait(stdexec::write_env(stdexec::schedule(here) | stdexec::then([] { return 1; }),
                                     stdexec::prop{stdexec::get_stop_token, source.get_token()}));
    wrong.unless(!never);
    const auto mended = sync_wait(stdexec::schedule(here) |
                                  stdexec::then([]() -> int { throw std::runtime_error("x"); }) |
                                  stdexec::upon_error([](std::exception_ptr) { return 9; }));
    wrong.unless(std::get<0>(*mended) == 9);
  });
}

TEST_P(senders, a_thread_that_waits_leaves_its_processor_to_others) {
  expect([](faults& wrong) {
    constexpr int many = 200;
    long sum = 0;
    std::vector<thread> waiting;
    for (int i = 0; i < many; ++i)
      waiting.emplace_back([&sum, i] {
        sum += std::get<0>(
            *sync_wait(stdexec::schedule(scheduler{}) | stdexec::then([i] { return i; })));
      });
    for (thread& one : waiting) one.join();
    wrong.unless(sum == many * (many - 1) / 2);
  });
}

TEST(senders_of_a_runtime, work_comes_from_any_thread) {
  runtime machine(2);
  const scheduler there(machine);
  std::vector<std::thread> foreign;
  std::vector<long> found(4);
  for (long& each : found)
    foreign.emplace_back([&each, there] {
      auto work = stdexec::schedule(there) | stdexec::then([] { return fib(15); });
      each = std::get<0>(*stdexec::sync_wait(std::move(work)));
    });
  for (std::thread& one : foreign) one.join();
  EXPECT_EQ(found, std::vector<long>(4, 610));
  EXPECT_NE(scheduler{}, there);
}

}  // namespace
}  // namespace senders_test
}  // namespace terrane
