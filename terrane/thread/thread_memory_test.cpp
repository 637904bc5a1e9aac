// SPDX-License-Identifier: Apache-2.0
// thread_memory_test.cpp: a thread's own memory; system calls on helper threads; time slices.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/blocking.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class thread_memory : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, thread_memory, small_machines(), machine_name);

TEST_P(thread_memory, is_the_threads_own_and_ends_with_it) {
  expect([](faults& wrong) {
    static per_thread<int> number;
    int destroyed = 0;
    struct counts {
      int* at = nullptr;
      ~counts() { ++*at; }
    };
    per_thread<counts> last_words;
    std::vector<thread> all;
    for (int i = 1; i <= 5; ++i)
      all.push_back(thread::create([&, i] {
        wrong.unless(*number == 0);
        *number = i;
        last_words->at = &destroyed;
        this_thread::yield();
        wrong.unless(*number == i);
        std::pmr::vector<int> many(&this_thread::heap());
        for (int n = 0; n < 20'000; ++n) many.push_back(n);
        wrong.unless(many[19'999] == 19'999);
      }));
    for (thread& each : all) each.join();
    wrong.unless(destroyed == 5);
  });
}

TEST_P(thread_memory, that_was_given_back_is_used_again) {
  expect([](faults& wrong) {
    thread::create([&] {
      thread_heap& heap = this_thread::heap();
      const auto fill = [&](std::size_t bytes) {
        std::pmr::vector<char> some(bytes, 'x', &heap);
        wrong.unless(some[bytes - 1] == 'x');
      };
      fill(1'000'000);
      const std::size_t used = heap.bytes_used();
      for (int i = 0; i < 1000; ++i) fill(999'000 + 1 * static_cast<std::size_t>(i));
      wrong.unless(heap.bytes_used() == used);
      for (std::size_t bytes = 1; bytes < 5000; ++bytes) fill(bytes);
      const std::size_t with_all_sizes = heap.bytes_used();
      for (std::size_t bytes = 1; bytes < 5000; ++bytes) fill(bytes);
      wrong.unless(heap.bytes_used() == with_all_sizes && with_all_sizes < used + 400'000);
      for (std::size_t alignment = 16; alignment <= 4096; alignment *= 2) {
        void* const piece = heap.allocate(24, alignment);
        wrong.unless(reinterpret_cast<std::uintptr_t>(piece) % alignment == 0);
        heap.deallocate(piece, 24, alignment);
      }
    }).join();
  });
}

TEST_P(thread_memory, that_another_gives_back_waits_for_the_end) {
  expect([](faults& wrong) {
    thread_heap* its = nullptr;
    void* piece = nullptr;
    thread owner = thread::create([&] {
      its = &this_thread::heap();
      piece = its->allocate(64);
      this_thread::yield();
      wrong.unless(its->allocate(64) != piece);
    });
    this_thread::yield();
    its->deallocate(piece, 64);
    owner.join();
  });
}

class outside : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, outside, small_machines(), machine_name);

TEST_P(outside, calls_return_what_they_return) {
  expect([](faults& wrong) {
    wrong.unless(blocking([] { return 7; }) == 7);
    int ran = 0;
    blocking([&] { ++ran; });
    wrong.unless(ran == 1);
    wrong.unless(blocking([] { return close(-1); }) == -1 && errno == EBADF);
    try {
      blocking([] { throw std::runtime_error("mine"); });
      wrong.unless(false);
    } catch (const std::runtime_error& problem) {
      wrong.unless(problem.what() == std::string("mine"));
    }
  });
}

/// One thread reads what another writes later. On one processor that works only if the reader does
/// not stop the processor. World sim runs calls in place, so there the write comes first.
TEST_P(outside, calls_do_not_hold_up_the_processor) {
  if (GetParam().world == "sim") GTEST_SKIP() << "calls are made in place there";
  expect([](faults& wrong) {
    int ends[2];
    wrong.unless(pipe(ends) == 0);
    thread reader = thread::create([&] {
      char got = 0;
      wrong.unless(blocking([&] { return read(ends[0], &got, 1); }) == 1 && got == 'x');
    });
    this_thread::yield();
    this_thread::sleep_for(1'000'000);
    wrong.unless(write(ends[1], "x", 1) == 1);
    reader.join();
    close(ends[0]);
    close(ends[1]);
  });
}

class slices : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, slices, small_machines(), machine_name);

/// Declared work of 1 ms a step, in slices of 5 ms.
TEST_P(slices, end_where_work_is_declared) {
  if (GetParam().world != "sim") GTEST_SKIP() << "declared work takes no time elsewhere";
  expect([](faults& wrong) {
    static constexpr operation step{"test.step", 1'000'000};
    set_time_slice(5'000'000);
    std::string order;
    const auto work = [&order](char name) {
      for (int i = 0; i < 10; ++i) {
        order += name;
        charge(step);
      }
    };
    thread one = thread::create(work, 'a'), other = thread::create(work, 'b');
    one.join();
    other.join();
    set_time_slice(0);
    wrong.unless(order == "aaaaabbbbbaaaaabbbbb");
  });
}

TEST_P(slices, end_at_checkpoints) {
  if (GetParam().world == "sim") GTEST_SKIP() << "time does not pass by itself there";
  expect([](faults& wrong) {
    set_time_slice(200'000);
    bool other_ran = false;
    thread other = thread::create([&] { other_ran = true; });
    for (const std::uint64_t start = now(); !other_ran && now() - start < 5'000'000'000;)
      this_thread::checkpoint();
    wrong.unless(other_ran);
    set_time_slice(0);
    other.join();
  });
}

}  // namespace
}  // namespace terrane
