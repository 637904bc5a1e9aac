// SPDX-License-Identifier: Apache-2.0
// from_outside_test.cpp: calls from OS threads that are no processors, before and after a run, and
// in a process that a thread has forked.
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "terrane/base/sanitizers.hpp"
#include "terrane/thread/blocking.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/global_ptr.hpp"
#include "terrane/thread/mutex.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class from_outside : public run_to_failure {};

#if !defined(TERRANE_ASAN) && !defined(TERRANE_TSAN)  // they report a fault before we do

long same(long value) { return value; }

void operation_outside(const std::string& what, spawned<task_for<long (*)(long), long>>& one) {
  static mutex lock;
  static long cell = 0;
  [[maybe_unused]] static volatile terrane_global place;
  if (what == "create") thread::create([] {}).join();
  if (what == "lock") lock.lock();
  if (what == "spawn") spawn(same, 1L).join();
  if (what == "join of a future") one.join();
  if (what == "signal") terrane_signal(TERRANE_GENERATION_STEP | 4096);
  if (what == "get") terrane_get(TERRANE_GENERATION_STEP << 1, 8, 0, 0);
  if (what == "place") place = terrane_to_global(&cell);
  if (what == "sleep_for") this_thread::sleep_for(1);
  if (what == "processors") static_cast<void>(terrane_processors());
}

constexpr const char* operations[] = {"create", "lock",  "spawn",     "join of a future", "signal",
                                      "get",    "place", "sleep_for", "processors"};

using outside = void (*)(void (*work)(void*), void* about);
void on_a_std_thread(void (*work)(void*), void* about) { std::thread(work, about).join(); }
void in_blocking(void (*work)(void*), void* about) {
  blocking([=] { work(about); });
}

/// Does it there from a thread of the run.
struct does_it_outside : threaded<does_it_outside> {
  thread running;
  join over = on<&does_it_outside::finish>();
  step start(const std::string* what, outside where) {
    running = thread::create([=] {
      auto one = terrane::spawn(same, 1L);
      auto work = [&] { operation_outside(*what, one); };
      where([](void* it) { (*static_cast<decltype(work)*>(it))(); }, &work);
    });
    running.signal_at_end(over.one());
    return await(over);
  }
  step finish() { return done; }
};

TEST_F(from_outside, an_operation_on_a_thread_of_the_system_is_r273) {
  for (const std::string what : operations) {
    SCOPED_TRACE(what);
    expect_failure<does_it_outside>(machine_of(1, 2), "R-273: ", &what, on_a_std_thread);
  }
}

TEST_F(from_outside, an_operation_in_a_blocking_call_is_r273) {
  const std::string create = "create", lock = "lock";
  expect_failure<does_it_outside>(machine_of(1), "R-273: an operation of Terrane in a thread of",
                                  &create, in_blocking);
  expect_failure<does_it_outside>(machine_of(1), "R-273: lock of a mutex was called in a thread of",
                                  &lock, in_blocking);
}

TEST_F(from_outside, an_operation_before_any_run_is_r273) {
  EXPECT_EXIT(thread::create([] {}), testing::ExitedWithCode(122), "R-273: .*terrane::run");
}

#endif

// --- what outlives the run ---

long counted_calls = 0;
long counts(long value) {
  ++counted_calls;
  return value;
}

TEST(after_a_run, futures_that_nobody_joined_are_dropped_and_not_run) {
  static future<long> kept;
  run_options options;
  int count = -1;
  counted_calls = 0;
  run_machine<in_a_thread>(options, &count, thread_code([](faults&) {
                             kept = spawn<counts>(1L);
                             { auto another = spawn<counts>(2L); }
                           }));
  EXPECT_EQ(count, 0);
  EXPECT_EQ(counted_calls, 1);
  kept = {};
  EXPECT_EQ(counted_calls, 1);
  { auto never_joined = future<long>(); }
}

// --- fork ---

/// The exit code of a child that a thread has forked, and whose thread returns.
struct forks : threaded<forks> {
  join over = on<&forks::finish>();
  step start(int* child_ended_with) {
    thread::create([=, over = over.one()] {
      const pid_t child = fork();
      if (child == 0) {
        terrane_set_exit_code(9);
      } else {
        int status = -1;
        waitpid(child, &status, 0);
        *child_ended_with = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
      over.signal();
    }).detach();
    return await(over);
  }
  step finish() { return done; }
};

TEST(a_forked_child, ends_with_the_exit_code_that_it_was_given) {
#ifdef TERRANE_ASAN
  GTEST_SKIP() << "a child ends without taking its copy of the machine down, which LeakSanitizer "
                  "calls a leak";
#endif
  for (const char* world : {"local", "sim"})
    for (const int processors : {1, 2}) {
      run_options options = machine_of(1, processors);
      options.world = world;
      int ended_with = -1;
      EXPECT_EQ(run_machine<forks>(options, &ended_with).exit_code, 0);
      EXPECT_EQ(ended_with, 9) << world << " with " << processors;
    }
}

}  // namespace
}  // namespace terrane
