// SPDX-License-Identifier: Apache-2.0
// expect: (conversion from|no viable conversion from) .*future<long
#include "terrane/threads.hpp"

double half(int n) { return n / 2.0; }

double ask() {
#ifndef CURED
  terrane::future<long> answer = terrane::spawn(half, 7);
#else
  terrane::future<double> answer = terrane::spawn(half, 7);
#endif
  return answer.join();
}
