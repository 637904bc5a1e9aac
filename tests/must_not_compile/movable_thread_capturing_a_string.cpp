// SPDX-License-Identifier: Apache-2.0
// expect: what a thread calls that may move is copied as bytes: let it capture plain values
#include <string>

#include "terrane/threads.hpp"

terrane::thread prints(const std::string& text) {
#ifndef CURED
  return terrane::thread::create_migratable({}, [text] { std::puts(text.c_str()); });
#else
  return terrane::thread::create_migratable({}, [letter = text[0]] { std::putchar(letter); });
#endif
}
