// SPDX-License-Identifier: Apache-2.0
// terrane_pair.hpp: shared by the programs about Terrane's messages, on a machine of two nodes.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "bench/messages/figure.h"
#include "terrane/terrane.hpp"

namespace bench {

/// The settings that both sides of one_way and rate share.
struct rules {
  int bytes;
  std::uint64_t last;  // the number of the last message; the first is 0
  bool answers;        // the receiver of an even number sends the next one: all but rate
  bool pauses;         // parked: before each message
};

inline rules rules_of(const message_figure& figure) {
  return {figure.bytes, static_cast<std::uint64_t>(message_checked + figure.messages - 1),
          !message_is(&figure, "rate"), message_is(&figure, "parked") != 0};
}

/// Calls message_arguments. Requires a machine of two nodes with one processor each.
inline message_figure pair_arguments(int argc, char** argv, const char* library,
                                     const char* const* known) {
  if (terrane::nodes() != 2 || terrane::processors() != 2) {
    std::fprintf(stderr, "messages/%s: start it with --nodes 2 --processors 1\n", library);
    std::exit(2);
  }
  return message_arguments(argc, argv, library, known);
}

/// Write or compare a message: all of its bytes in the first pass, only its number later.
inline void write_message(unsigned char* data, int bytes, std::uint64_t number) {
  if (number < message_checked)
    message_fill(data, bytes, number);
  else
    message_number(data, number);
}
inline void compare_message(const char* library, const unsigned char* data, int bytes,
                            std::uint64_t number) {
  if (number < message_checked)
    message_check(library, data, bytes, number);
  else
    message_check_number(library, data, number);
}

}  // namespace bench

template <>
inline constexpr bool terrane::position_independent<bench::rules> = true;
