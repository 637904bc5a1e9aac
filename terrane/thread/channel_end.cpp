// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/channel_end.hpp"

#include "terrane/c/terrane_channel_end.h"
#include "terrane/thread/par.hpp"

using terrane::channel_desk;

void terrane_channel_ends_new(terrane_channel_end* out, terrane_channel_end* in) {
  const terrane_slot_ref channel = channel_desk::here().make();
  out->end = terrane::name_of_end(channel, terrane::outwards);
  in->end = terrane::name_of_end(channel, terrane::inwards);
}

bool terrane_channel_end_send(terrane_channel_end out, const void* item, size_t bytes) {
  return channel_desk::send(out.end, item, bytes);
}

int64_t terrane_channel_end_receive(terrane_channel_end in, void* to, size_t most) {
  return channel_desk::receive(in.end, to, most);
}

void terrane_channel_end_close(terrane_channel_end end) {
  const bool sends = terrane::goes(end.end, terrane::outwards);
  channel_desk::here().close(end.end, sends ? terrane::outwards : terrane::inwards);
}

void terrane_channel_end_give_up(terrane_channel_end end) { channel_desk::here().give_up(end.end); }

void terrane_par(int n, void (*branch)(int i, void* about), void* about) {
  terrane::par(n, [=](int i) { branch(i, about); });
}
