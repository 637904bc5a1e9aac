// SPDX-License-Identifier: Apache-2.0
// bank.cpp: accounts under locks: nothing is lost.
// prints: total 1000

#include <array>
#include <cstdio>
#include <mutex>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

struct account {
  mutex lock;
  condition changed;
  int money = 100;
};

int example(int, char**) {
  std::array<account, 10> bank;
  {
    std::vector<thread> clerks;
    for (std::size_t i = 0; i < bank.size(); ++i)
      clerks.emplace_back([&, i] {
        account &from = bank[i], &to = bank[(i + 1) % bank.size()];
        for (int k = 0; k < 50; ++k) {
          {
            std::unique_lock hold(from.lock);
            from.changed.wait(hold, [&] { return from.money > 0; });
            --from.money;
          }
          const std::lock_guard hold(to.lock);
          ++to.money;
          to.changed.notify_one();
        }
      });
  }
  int total = 0;
  for (const account& each : bank) total += each.money;
  std::printf("total %d\n", total);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
