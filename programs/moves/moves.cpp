// SPDX-License-Identifier: Apache-2.0
// moves KIB TIMES: what it takes to move threads with KIB KiB in use on their stacks from node 0 to
// node 1, by the world's clock: a line `operation,measure,value` each.
//
//   push,latency_us            one way, half of there and back
//   push,overhead_us           what a push that nobody waits for takes its source
//   push,per_second            threads made, pushed and ended
//   two sources,per_second     the same from nodes 0 and 1 at once to node 2, with 3 nodes or more
//   steal,latency_us           from asking for a thread to having it
//
// Source  [ACTIVE §7.2, Fig. 4, Table 3].
#include "programs/moves/moves.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::moves_main>>(argc, argv);
}
