// SPDX-License-Identifier: Apache-2.0
// expect: aligned to 64 bytes at most
#include "terrane/terrane.hpp"

#ifndef CURED
struct alignas(128) page {
#else
struct alignas(64) page {
#endif
  char bytes[128];
};

terrane::node_local<page> one;
