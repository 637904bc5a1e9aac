// SPDX-License-Identifier: Apache-2.0
// overflow_test.cpp: the report names a stack that is too small and the size to set, for every size
// of stack and of its frames, in every world.
#include <algorithm>
#include <string>
#include <vector>

#include "terrane/thread/future.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/migration.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

#ifndef TERRANE_ASAN  // it finds overflows itself

/// So many frames of that size, one on the other; others run when half of them are there.
template <int FrameBytes>
int stacked(long frames, long half) {
  volatile char room[FrameBytes];
  room[0] = static_cast<char>(frames);
  if (frames == half) this_thread::yield();
  return frames == 0 ? room[0] : stacked<FrameBytes>(frames - 1, half) + room[0];
}

using stack_user = int (*)(long frames, long half);
struct frame_size {
  long bytes;
  stack_user use;
};
constexpr frame_size frame_sizes[] = {{48, stacked<48>},
                                      {400, stacked<400>},
                                      {1000, stacked<1000>},
                                      {2000, stacked<2000>},
                                      {3500, stacked<3500>}};
constexpr int stack_sizes[] = {16 << 10, 32 << 10, 64 << 10, 256 << 10, 2 << 20};

/// A thread overflows its stack amid others that stand half way down theirs.
struct overflowing : threaded<overflowing> {
  step start(int bytes, int frame) {
    const stack_user use = frame_sizes[frame].use;
    const long half =
        bytes / (frame_sizes[frame].bytes + 100) / 3;  // with what the compiler adds to a frame
    const thread_options how{.name = "other", .stack_bytes = static_cast<std::size_t>(bytes)};
    for (int i = 0; i < 3; ++i) thread::create(how, [=] { use(half, i * half / 2); }).detach();
    thread_options small = how;
    small.name = "small";
    thread::create(small, [=] { use(1'000'000, 1'000'000 - half); }).detach();
    return done;
  }
};

struct overflows_there : threaded<overflows_there> {
  slot given_up = on<&overflows_there::finish>(1, 0);
  step start(int at, int bytes, int frame) {
    invoke<overflowing>(static_cast<std::uint32_t>(at), bytes, frame);
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

class overflows : public run_to_failure {
 protected:
  static void expect_all_named(const char* world) {
    for (const int bytes : stack_sizes)
      for (int frame = 0; frame < 5; ++frame) {
        run_options options = machine_of(2);
        options.world = world;
        const int at = frame % 2;
        expect_failure<overflows_there>(
            options,
            "R-280: the stack of thread small has overflowed: it has [0-9]+ bytes; give it more "
            "with thread_options..stack_bytes = " +
                std::to_string(2 * bytes) + "} .on processor " + std::to_string(at),
            at, bytes, frame);
      }
  }
};

TEST_F(overflows, are_named_in_each_of_25_tries_within_a_process) { expect_all_named("local"); }
TEST_F(overflows, are_named_in_each_of_25_tries_among_processes) { expect_all_named("shm"); }

/// A frame much larger than what is left of the stack; it touches only the frame's far end.
[[gnu::noinline]] char array_far_too_large() {
  volatile char room[700'000];
  volatile int first = 0;  // or a compiler keeps that one element alone
  room[first] = 1;
  return room[first];
}
void overflows_as(int how) {
  if (how == 0)
    stacked<400>(1'000'000, -1);
  else
    array_far_too_large();
}

/// A thread amid others, whose stacks lie on both sides of its own, overflows on that node.
struct overflows_away : threaded<overflows_away> {
  slot given_up = on<&overflows_away::finish>(1, 0);
  step start(int there, int how) {
    const thread_options other{.name = "other"};
    for (int i = 0; i < 3; ++i)
      thread::create_migratable(other, [] { this_thread::yield(); }).detach();
    thread::create_migratable(
        {.name = "small"},
        [](node_id to, int what) {
          this_thread::push_self(to);
          overflows_as(what);
        },
        static_cast<node_id>(there), how)
        .detach();
    for (int i = 0; i < 3; ++i)
      thread::create_migratable(other, [] { this_thread::yield(); }).detach();
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

TEST_F(overflows, of_threads_that_may_move_are_named_wherever_they_are) {
  for (const char* world : {"local", "sim", "shm"})
    for (int there = 0; there < 2; ++there)
      for (int how = 0; how < 2; ++how) {
        run_options options = machine_of(2);
        options.world = world;
        options.balancer = "nop";
#ifdef TERRANE_TSAN
        const std::string at = "[01]";  // from where it stays
#else
        const std::string at = std::to_string(there);
#endif
        expect_failure<overflows_away>(
            options, "R-280: the stack of thread small has overflowed: .*on processor " + at, there,
            how);
      }
}

// --- what the sentence says to change ---

long overflows_in_a_future(long how) {
  overflows_as(static_cast<int>(how));
  return 0;
}
long is_taken(long) { return static_cast<long>(here().number); }

/// Waits until another processor has taken the future: here it would run on this thread's stack.
template <future_options How>
void future_overflows() {
  while (spawn<is_taken>(0L).join() == 0) this_thread::sleep_for(1'000'000);
  auto one = spawn<overflows_in_a_future, How>(0L);
  this_thread::sleep_for(100'000'000);
  one.join();
}

void overflows_in_a_message(long) { overflows_as(0); }

struct made_by_the_runtime : threaded<made_by_the_runtime> {
  slot given_up = on<&made_by_the_runtime::finish>(1, 0);
  step start(int what) {
    after(5'000'000'000, ref(given_up));
    if (what == 2)
      post<overflows_in_a_message, runs_in::thread>(1, 0L);
    else
      thread::create({.name = "spawns"}, [what] {
        if (what == 0)
          future_overflows<future_options{}>();
        else
          future_overflows<future_options{.stack_bytes = 64 << 10}>();
      }).detach();
    return wait;
  }
  step finish() { return done; }
};

TEST_F(overflows, say_where_the_size_of_that_stack_is_set) {
  run_options options = machine_of(1, 2);
  options.stack_kib = 128;
  expect_failure<made_by_the_runtime>(
      options,
      "R-280: the stack of thread future .*future_options..stack_bytes = 262144. or --stack 256 ",
      0);
  expect_failure<made_by_the_runtime>(
      options,
      "R-280: the stack of thread future .*future_options..stack_bytes = 131072. or --stack 128 ",
      1);
  expect_failure<made_by_the_runtime>(
      options, "R-280: the stack of thread overflows_in_a_message .*more with --stack 256 ", 2);
}

#endif

// --- how deep the calls of a taken future may go ---

/// As in a search of an unbalanced tree (UTS, T3): so many levels, and some leaves at each.
long levels_below(long levels) {
  if (levels == 0) return 0;
  std::vector<future<long>> below;
  for (long child = 0; child < 3; ++child)
    below.push_back(spawn<levels_below>(child == 2 ? levels - 1 : 0));
  long most = 0;
  for (auto& each : below) most = std::max(most, each.join());
  return most + 1;
}

long taken_by(long levels) {
  return 10'000 * levels_below(levels) + static_cast<long>(here().number);
}

TEST(futures_that_were_taken, go_1572_levels_deep_with_a_vector_at_each) {
  run_options options = machine_of(1, 2);
  int count = -1;
  run_machine<in_a_thread>(options, &count, thread_code([](faults& wrong) {
                             thread::create({.stack_bytes = 64 << 20}, [&] {
                               long answer = 0;
                               do {
                                 auto all = spawn<taken_by>(1572L);
                                 this_thread::sleep_for(1'000'000);
                                 answer = all.join();
                                 wrong.unless(answer / 10'000 == 1572);
                               } while (answer % 10'000 == 0);
                             }).join();
                           }));
  EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace terrane
