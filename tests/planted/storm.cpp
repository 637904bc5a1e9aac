// SPDX-License-Identifier: Apache-2.0
// storm WORLD FIRST COUNT: random networks of channels' ends that move and of data that is lent,
// seed by seed. Exit code 0 if all were right; else the first seed that was not is printed.
#include <cstdio>
#include <cstdlib>

#include "tests/support/run_machine.hpp"
#include "tests/support/storm_root.hpp"

int main(int argc, char** argv) {
  using namespace terrane;
  if (argc != 4) {
    std::fputs("usage: storm WORLD FIRST COUNT\n", stderr);
    return 2;
  }
  const std::string world = argv[1];
  const std::uint64_t first = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    std::printf("\rseed %llu", static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    int sum = -1;
    const auto outcome = run_machine<storms::storm_root>(storms::machine_of(world, seed, 8), &sum,
                                                         seed, world != "local");
    if (sum == 0 && !outcome.deadlock && outcome.exit_code == 0) continue;
    std::printf(": %s (sum %d, exit code %d)\n",
                outcome.deadlock ? "threads wait for ever" : "items were lost, doubled or old", sum,
                outcome.exit_code);
    return 1;
  }
  std::printf(": %llu seeds are right\n", static_cast<unsigned long long>(count));
  return 0;
}
