// SPDX-License-Identifier: Apache-2.0
// random_bytes.hpp: bytes that nobody can guess, from the kernel.
#pragma once

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace terrane {

/// Fills all bytes. False: the kernel gives none, and errno says why.
inline bool fill_with_random(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) return false;
  }
  return true;
}

}  // namespace terrane
