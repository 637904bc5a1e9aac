// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/keyed_hash.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/openssl.hpp"

namespace terrane {
namespace {

std::span<const unsigned char> bytes_of(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

std::string hex(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char each : bytes) {
    text += "0123456789abcdef"[each >> 4];
    text += "0123456789abcdef"[each & 15];
  }
  return text;
}

TEST(keyed_hash, agrees_with_the_published_vectors) {  // RFC 4231
  if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
  EXPECT_EQ(hex(keyed_hash(bytes_of(std::string(20, '\x0b')), bytes_of("Hi There"))),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex(keyed_hash(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hex(keyed_hash(bytes_of(std::string(131, '\xaa')),
                           bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(keyed_hash, equal_means_every_byte) {
  if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
  std::vector<unsigned char> left(32, 7), right = left;
  EXPECT_TRUE(equal_in_constant_time(left, right));
  for (std::size_t i = 0; i < left.size(); ++i) {
    right[i] ^= 1;
    EXPECT_FALSE(equal_in_constant_time(left, right)) << i;
    right[i] ^= 1;
  }
}

TEST(keyed_hash, wiped_bytes_are_zero) {
  std::vector<unsigned char> bytes(40, 0xab);
  wipe(std::span(bytes).first(39));
  for (std::size_t i = 0; i < 39; ++i) EXPECT_EQ(bytes[i], 0);
  EXPECT_EQ(bytes[39], 0xab);
}

}  // namespace
}  // namespace terrane
