// SPDX-License-Identifier: Apache-2.0
// expect: a closure with captures stays in its node: name a function and pass the captures
#include <string>

#include "terrane/thread/spawn_anywhere.hpp"

long size_of(std::string text) {
#ifndef CURED
  return terrane::spawn_anywhere([text] { return static_cast<long>(text.size()); }).join();
#else
  return terrane::spawn([text] { return static_cast<long>(text.size()); }).join();
#endif
}
