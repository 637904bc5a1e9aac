// SPDX-License-Identifier: Apache-2.0
// expect: a token is copied as bytes: capture by reference, or plain values
#include <string>

#include "terrane/threads.hpp"

long size_of(std::string text) {
#ifndef CURED
  return terrane::spawn([text] { return static_cast<long>(text.size()); }).join();
#else
  return terrane::spawn([&text] { return static_cast<long>(text.size()); }).join();
#endif
}
