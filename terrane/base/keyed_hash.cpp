// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/keyed_hash.hpp"

#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/base/openssl.hpp"

namespace terrane {

#ifdef TERRANE_HAVE_OPENSSL

hash_bytes keyed_hash(std::span<const unsigned char> key, std::span<const unsigned char> bytes) {
  hash_bytes result;
  unsigned int size = 0;
  const unsigned char* const made =
      openssl().HMAC(openssl().EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes.data(),
                     bytes.size(), result.data(), &size);
  TERRANE_CHECK(made && size == result.size());
  return result;
}

bool equal_in_constant_time(std::span<const unsigned char> left,
                            std::span<const unsigned char> right) {
  TERRANE_CHECK(left.size() == right.size());
  return openssl().CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

#else

hash_bytes keyed_hash(std::span<const unsigned char>, std::span<const unsigned char>) {
  check_failed(openssl_problem().c_str(), __FILE__, __LINE__);
}

bool equal_in_constant_time(std::span<const unsigned char>, std::span<const unsigned char>) {
  check_failed(openssl_problem().c_str(), __FILE__, __LINE__);
}

#endif

void wipe(std::span<unsigned char> bytes) {
  if (!bytes.empty()) explicit_bzero(bytes.data(), bytes.size());
}

}  // namespace terrane
