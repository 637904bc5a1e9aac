// SPDX-License-Identifier: Apache-2.0
// pic VERSION NP G STEPS V SEED: particles in cells: NP charges in G x G cells, for so many steps.
//
// Answer  original 1024 32 50 2 2024 unless said: `pic(1024, 32, 50) = ed2414f34ff7304b, kinetic
//         341.225670, sends S, receives R`. The hash is FNV-1a-64 over x, y, vx, vy of all
//         particles; it is the same in all versions and worlds. S and R: programs/pic/versions.hpp.
// Errors  a version or size that cannot be, or more domains than rows: one sentence, exit code 2.
// Source  [CHANT §3.2]; docs/programs.md.
#include <cstdio>

#include "programs/arguments.hpp"
#include "programs/pic/versions.hpp"
#include "terrane/chant.hpp"

namespace terrane::pic {

namespace {

int refuse(const char* sentence) {
  std::fprintf(stderr, "pic: %s\n", sentence);
  return 2;
}

int main_thread(int argc, char** argv) {
  std::optional<version> which = version::original;
  if (argc > 1) {
    which = version_called(argv[1]);
    if (!which) return refuse("VERSION is sequential, original, functional or virtual");
    argv[1] = argv[0];
  }
  program_arguments given(argc > 1 ? argc - 1 : argc, argc > 1 ? argv + 1 : argv);
  problem about;
  about.particles = given.number("NP", {1024, 1, 1 << 24});
  about.grid = given.number("G", {32, 2, 4096});
  about.steps = given.number("STEPS", {50, 0, 1'000'000});
  about.members = given.number("V", {2, 1, 4096});
  about.seed = given.number("SEED", {2024, 0, 1'000'000'000});
  if (!given.complete()) return 2;
  const int domains = domains_of(*which, about, static_cast<int>(terrane_processors()));
  if (domains > about.grid || domains > about.particles)
    return refuse("there are more domains than rows or particles: a larger G, or fewer P or V");
  const totals found = run(*which, about);
  std::printf("pic(%d, %d, %d) = %016llx, kinetic %.6f, sends %llu, receives %llu\n",
              about.particles, about.grid, about.steps, static_cast<unsigned long long>(found.hash),
              found.kinetic, static_cast<unsigned long long>(found.sends),
              static_cast<unsigned long long>(found.receives));
  if (found.worst_charge <= 1e-12) return 0;
  return refuse("the charges of a step add up to more than 1e-12");
}

}  // namespace

}  // namespace terrane::pic

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::pic::main_thread>>(argc, argv);
}
