// SPDX-License-Identifier: Apache-2.0
// survivors.cpp ROUNDS: storms of channels' ends that move and of lent data, each on one node or
// two of the machine, for a test that kills a node meanwhile. Each storm says how it ended.
//
// Use with    --balancer nop, so that no thread leaves its storm's nodes.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/par.hpp"
#include "tests/support/storm_of_ends.hpp"

namespace {

using namespace terrane;

/// One write is one line of the output, whatever happens to the node afterwards.
void say(const storms::region& where, const char* what) {
  char line[80];
  const node_id first = where.nodes[0], last = where.nodes[where.count - 1];
  const int size = std::snprintf(line, sizeof line, "storm on %u and %u: %s\n", first, last, what);
  if (write(STDOUT_FILENO, line, static_cast<std::size_t>(size)) != size) std::abort();
}

struct one_storm {
  storms::region where;
  std::uint64_t seed, rounds;
  void operator()() const {
    say(where, "begins");
    for (std::uint64_t i = 0; i < rounds; ++i)
      if (storms::network(seed + i, where).run(true) != 0) return say(where, "wrong");
    say(where, "right");
  }
};

int my_main(int argc, char** argv) {
  const std::uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const node_id nodes = terrane_nodes();
  par_branches all(nodes * (nodes + 1) / 2);
  for (node_id first = 0; first < nodes; ++first)
    for (node_id last = first; last < nodes; ++last)
      all.add(on(first, one_storm{{{first, last}, first == last ? 1u : 2u},
                                  seed + 1000 * (first * nodes + last),
                                  rounds}));
  all.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<my_main>>(argc, argv); }
