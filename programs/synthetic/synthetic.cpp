// SPDX-License-Identifier: Apache-2.0
// synthetic PAIRS COMPUTE MIXED SECONDS MESSAGES MS START: PAIRS pairs of threads that send and
// receive, COMPUTE threads that compute, MIXED pairs that compute 10 ms before each message. For
// SECONDS, or, if that is 0, MESSAGES messages of a pair and MS milliseconds of a thread.
//
// Answer  20 20 20 0 unless said: `synthetic(20, 20, 20) = 13600 messages, 54000 ms computed`.
// Source  [TESTBED §4.3.1, §A.6]; docs/programs.md.
#include "programs/synthetic/synthetic.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::synthetic_main>>(argc, argv);
}
