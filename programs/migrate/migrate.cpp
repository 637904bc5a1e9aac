// SPDX-License-Identifier: Apache-2.0
// migrate LOOPS PAGES: a thread receives 5,000 bytes, and moves to the next node, LOOPS times.
// PAGES 1: after each move it reads five pages that a thread of the last node lends. Prints how
// long a move took, where there was one.
//
// Answer  20 unless said, on more than one node: `migrate(20) = 100000 bytes, 20 moves`; on one
//         node, or where threads stay: no moves.
// Source  [TESTBED §3.3.3, §A.3]; docs/programs.md.
#include "programs/migrate/migrate.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::migrate_main>>(argc, argv);
}
