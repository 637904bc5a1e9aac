// SPDX-License-Identifier: Apache-2.0
// moves KIB TIMES: measures by the world's clock how long it takes to move threads with KIB KiB in
// use on their stacks from node 0 to node 1. Prints lines `operation,measure,value`.
//
//   push,latency_us            one way, half of there and back
//   push,overhead_us           time at the source of a push that nobody waits for
//   push,per_second            threads made, pushed and ended
//   two sources,per_second     the same from nodes 0 and 1 at once to node 2, with 3 nodes or more
//   steal,latency_us           from asking for a thread to having it
//
// Source  [ACTIVE §7.2, Fig. 4, Table 3].
#include "programs/moves/moves.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::moves_main>>(argc, argv);
}
