// SPDX-License-Identifier: Apache-2.0
// byte_order.hpp: numbers as they travel, little-endian, at any address.
#pragma once

#include <concepts>
#include <cstddef>

namespace terrane {

template <std::unsigned_integral Number>
void put_number(unsigned char* to, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i)
    to[i] = static_cast<unsigned char>(number >> (8 * i));
}

template <std::unsigned_integral Number>
Number get_number(const unsigned char* from) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i)
    number = static_cast<Number>(number | static_cast<Number>(Number{from[i]} << (8 * i)));
  return number;
}

}  // namespace terrane
