// SPDX-License-Identifier: Apache-2.0
// fingerprint.hpp: a hash of a program's whole answer: FNV-1a-64 over its bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrane::programs {

struct fingerprint {
  std::uint64_t hash = 0xcbf29ce484222325u;
  void add(const void* bytes, std::size_t count) {
    const auto* each = static_cast<const unsigned char*>(bytes);
    for (; count != 0; --count) hash = (hash ^ *each++) * 0x100000001b3u;
  }
};

}  // namespace terrane::programs
