// SPDX-License-Identifier: Apache-2.0
// expect: the handler of a message returns nothing: take a terrane::reply<T>
#include "terrane/threads.hpp"

#ifndef CURED
long twice(long value) { return 2 * value; }
#else
void twice(long value, terrane::reply<long> to) { to.send(2 * value); }
#endif

long ask(long value) {
  long answer = 0;
  terrane::this_thread::await([&](terrane::slot_ref done) {
#ifndef CURED
    static_cast<void>(done);
    terrane::post<twice>(1, value);
#else
    terrane::post<twice>(1, value, terrane::reply<long>{{done.raw, &answer}});
#endif
  });
  return answer;
}
