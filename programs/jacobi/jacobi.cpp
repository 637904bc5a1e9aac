// SPDX-License-Identifier: Apache-2.0
// jacobi VERSION N ITER W B L V: relaxes N x N points ITER times, by blocks of columns.
//
// Answer  blocking 514 20 1000 1 1 1 unless said: `jacobi(514, 20) = 9caae17bd22725ec, sum
//         130789.870081`. The hash is FNV-1a-64 over all points, column by column; every version
//         but chaotic has it, in all worlds.
// Errors  a version or size that cannot be: one sentence, exit code 2.
// Source  [CHANT §3.1]; docs/programs.md.
#include <algorithm>
#include <cstdio>

#include "programs/arguments.hpp"
#include "programs/jacobi/versions.hpp"
#include "terrane/chant.hpp"

namespace terrane::jacobi {

namespace {

int refuse(const char* sentence) {
  std::fprintf(stderr, "jacobi: %s\n", sentence);
  return 2;
}

int main_thread(int argc, char** argv) {
  std::optional<version> which = version::blocking;
  if (argc > 1) {
    which = version_called(argv[1]);
    if (!which)
      return refuse("VERSION is sequential, blocking, overlapped, threads, chaotic or rope");
    argv[1] = argv[0];
  }
  program_arguments given(argc > 1 ? argc - 1 : argc, argc > 1 ? argv + 1 : argv);
  problem about;
  about.n = given.number("N", {514, 3, 16386});
  about.iterations = given.number("ITER", {20, 0, 1'000'000});
  about.per_mille = given.number("W", {1000, 0, 2000});
  about.boundary = given.number("B", {1, 1, 16384});
  about.load = given.number("L", {1, 1, 1000});
  about.members = given.number("V", {1, 1, 4096});
  if (!given.complete()) return 2;
  const int blocks =
      static_cast<int>(terrane_processors()) * (*which == version::rope ? about.members : 1);
  if (*which != version::sequential && about.n - 2 < blocks)
    return refuse("there are more blocks than columns: make N larger, or P or V smaller");
  const bool has_boundaries = *which == version::threads || *which == version::chaotic;
  if (has_boundaries && 2 * about.boundary > (about.n - 2) / blocks)
    return refuse("2 B is more than the smallest block has columns: make B or P smaller");
  const answer found = run(*which, about);
  std::printf("jacobi(%d, %d) = %016llx, sum %.6f\n", about.n, about.iterations,
              static_cast<unsigned long long>(found.hash), found.sum);
  return 0;
}

}  // namespace

}  // namespace terrane::jacobi

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::jacobi::main_thread>>(argc, argv);
}
