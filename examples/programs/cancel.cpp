// SPDX-License-Identifier: Apache-2.0
// cancel.cpp: a search that ends when one has found it.
// prints: found 777777

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

long look(scope_ref search, long first, long last) {
  for (long i = first; i < last && !search.cancelled(); ++i)
    if (i % 1'000'000 == 777'777) {
      search.cancel();
      return i;
    }
  return -1;
}

int example(int, char**) {
  cancel_scope search;
  std::vector<future<long>> parts;
  for (long i = 0; i < 10; ++i)
    parts.push_back(search.spawn(look, search.ref(), 100'000 * i, 100'000 * (i + 1)));
  long found = -1;
  for (auto& each : parts) try {
      found = std::max(found, each.join());
    } catch (const cancelled&) {}  // it had not begun
  std::printf("found %ld\n", found);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
