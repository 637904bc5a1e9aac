// SPDX-License-Identifier: Apache-2.0
// keyed_hash.hpp: HMAC-SHA-256, by OpenSSL.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace terrane {

using hash_bytes = std::array<unsigned char, 32>;

/// HMAC-SHA-256 of `bytes` under `key`. OpenSSL must be there (`openssl_problem`).
hash_bytes keyed_hash(std::span<const unsigned char> key, std::span<const unsigned char> bytes);

/// Whether two blocks of equal size are the same. The time does not depend on where they differ.
bool equal_in_constant_time(std::span<const unsigned char> left,
                            std::span<const unsigned char> right);

/// Overwrites bytes that nobody may find later. No compiler leaves it out.
void wipe(std::span<unsigned char> bytes);

}  // namespace terrane
