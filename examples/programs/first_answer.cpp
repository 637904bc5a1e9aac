// SPDX-License-Identifier: Apache-2.0
// first_answer.cpp: several ask, and the first answer counts.
// prints: number 2 was first: 30

#include <chrono>
#include <cstdio>
#include <vector>

#include "terrane/thread/promise.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::vector<promise<int>> made(3);
  std::vector<shared_future<int>> all;
  for (auto& each : made) all.push_back(each.get_future());
  const auto first = when_any(all);
  made[2].set_value(30);
  std::printf("number %zu was first: %d\n", first.get(), all[first.get()].get());
  made[0].set_value(10);
  made[1].set_value(20);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
