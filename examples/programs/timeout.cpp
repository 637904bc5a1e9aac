// SPDX-License-Identifier: Apache-2.0
// timeout.cpp: an answer that comes too late.
// prints: waited, then 42

#include <chrono>
#include <cstdio>

#include "terrane/thread/promise.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  using namespace std::chrono_literals;
  promise<int> made;
  const shared_future<int> answer = made.get_future();
  const bool in_time = answer.wait_for(1ms);
  thread later([&] { made.set_value(42); });
  std::printf("%s, then %d\n", in_time ? "at once" : "waited", answer.get());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
