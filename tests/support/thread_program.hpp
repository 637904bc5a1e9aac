// SPDX-License-Identifier: Apache-2.0
// thread_program.hpp: code that runs in a thread on processor 0 of a machine, and counts its
// faults.
//
//   class my_threads : public with_threads {};
//   INSTANTIATE_TEST_SUITE_P(everywhere, my_threads, small_machines(), machine_name);
//   TEST_P(my_threads, work) { expect([](faults& wrong) { wrong.unless(1 + 1 == 2); }); }
#pragma once

#include <cstdio>
#include <source_location>

#include "terrane/thread/thread.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {

/// Faults of one run: gtest counts none on other stacks and in other processes.
class faults {
 public:
  explicit faults(int* count) : count_(count) {}
  void unless(bool right, std::source_location where = std::source_location::current()) {
    if (right) return;
    ++*count_;
    std::fprintf(stderr, "%s:%u: fault\n", where.file_name(), where.line());
  }

 private:
  int* count_;
};

using thread_code = void (*)(faults&);

/// The root: runs the code in a thread, and ends with it.
struct in_a_thread : threaded<in_a_thread> {
  thread running;
  join over = on<&in_a_thread::finish>();

  step start(int* count, thread_code code) {
    *count = 0;
    running = thread::create({.name = "test"}, [=] {
      faults wrong(count);
      code(wrong);
    });
    running.signal_at_end(over.one());
    return await(over);
  }
  step finish() {
    running.join();
    return done;
  }
};

/// The same for code that counts nothing: of runs that end badly.
struct in_a_bare_thread : threaded<in_a_bare_thread> {
  thread running;
  join over = on<&in_a_bare_thread::finish>();

  step start(void (*code)()) {
    running = thread::create({.name = "test"}, code);
    running.signal_at_end(over.one());
    return await(over);
  }
  step finish() {
    running.join();
    return done;
  }
};

class with_threads : public on_a_small_machine {
 protected:
  static void expect(thread_code code) { expect_no_faults<in_a_thread>(code); }
};

}  // namespace terrane
