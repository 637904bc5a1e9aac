// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node: pass a terrane::global<T>
#include "terrane/threads.hpp"

terrane::thread counts(terrane::global_ptr<long> there, long* here) {
#ifndef CURED
  static_cast<void>(there);
  return terrane::thread::create_migratable({}, [](long* sum) { ++*sum; }, here);
#else
  static_cast<void>(here);
  return terrane::thread::create_migratable(
      {}, [](terrane::global_ptr<long> sum) { *sum = *sum + 1; }, there);
#endif
}
