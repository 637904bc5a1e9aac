// SPDX-License-Identifier: Apache-2.0
// expect: (use of|call to) deleted function
#include "terrane/chant.hpp"

void tell(terrane::thread_id other, terrane::message_buffer& mine) {
#ifndef CURED
  terrane::send(other, 7, mine);
#else
  terrane::send(other, 7, std::move(mine));
#endif
}
