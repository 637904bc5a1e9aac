// SPDX-License-Identifier: Apache-2.0
// producer_consumer.cpp: a queue with room for four items.
// prints: sum of 1000 items: 500500

#include <cstdio>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  hand_off<int> queue(4);
  thread producer([&] {
    for (int i = 1; i <= 1000; ++i) queue.send(i);
    queue.close();
  });
  long sum = 0;
  while (const auto each = queue.take()) sum += *each;
  producer.join();
  std::printf("sum of 1000 items: %ld\n", sum);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
