// SPDX-License-Identifier: Apache-2.0
// grep [-e] [-t] PATTERN DIRECTORY [POLICY] [REMOTE_US] [DISKS]: the lines under a directory that
// a pattern is in; a thread for each directory and each file, which migrate as the policy says.
//
//   steal-search   threads that search may be taken by idle nodes (with a balancer: rand, spn, ...)
//   steal-cascade  threads that cascade may be
//   round-robin    node 0 pushes those that search to the others in turn
//   by-load        to the node with the fewest bytes so far; node 0 counts 0.8
//   locality       each goes to the node on whose disk its file lies
//
// Answer  that of grep -rn, in another order. With -t, instead, how long each file took, in us, and
//         whether its disk was `local` or `remote`.
// Source  [ACTIVE §8.1]; docs/programs.md. To read another node's file takes REMOTE_US more. The
//         files lie on the disks of DISKS nodes, of all unless said; on which, their directory's
//         path below DIRECTORY says.
#include "programs/grep/grep.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::grep_main>>(argc, argv);
}
