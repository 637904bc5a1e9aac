// SPDX-License-Identifier: Apache-2.0
// readers_and_writer.cpp: many may read, one may write.
// prints: version 20 was read by 3

#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "terrane/thread/latch.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  shared_mutex lock;
  int version = 0;
  latch read(3);
  std::vector<thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      for (bool is_last = false; !is_last; this_thread::yield()) {
        const std::shared_lock hold(lock);
        is_last = version == 20;
      }
      read.count_down();
    });
  for (int i = 0; i < 20; ++i) {
    const std::unique_lock hold(lock);
    ++version;
    this_thread::yield();
  }
  read.wait();
  std::printf("version %d was read by %zu\n", version, readers.size());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
