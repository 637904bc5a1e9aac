// SPDX-License-Identifier: Apache-2.0
// plural.hpp: counts of things in sentences.
#pragma once

#include <cstdint>
#include <string>

namespace terrane {

/// `1 node`, `2 nodes`.
inline std::string plural(std::uint64_t count, const char* thing) {
  return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

}  // namespace terrane
