// SPDX-License-Identifier: Apache-2.0
// overflow_test.cpp: a stack that is too small is named, with the size to set: whatever the stack,
// the frames on it and the world.
#include <string>

#include "terrane/thread/thread.hpp"
#include "tests/support/run_to_failure.hpp"

namespace terrane {
namespace {

#ifndef TERRANE_ASAN  // which finds them itself

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

#endif

}  // namespace
}  // namespace terrane
