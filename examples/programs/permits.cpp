// SPDX-License-Identifier: Apache-2.0
// permits.cpp: at most three at a time.
// prints: at most 3 of 20

#include <cstdio>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  counting_semaphore<> places(3);
  atomic<int> inside{0}, most{0};
  std::vector<thread> guests;
  for (int i = 0; i < 20; ++i)
    guests.emplace_back([&] {
      places.acquire();
      const int now = inside.fetch_add(1) + 1;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
      this_thread::yield();
      inside.fetch_sub(1);
      places.release();
    });
  for (thread& each : guests) each.join();
  std::printf("at most %d of %zu\n", most.load(), guests.size());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
