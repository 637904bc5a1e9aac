// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/reservation.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace terrane {
namespace {

/// Pages of the stretch that have memory behind them.
std::size_t resident_pages(const reservation& stretch, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident(bytes / page);
  EXPECT_EQ(mincore(stretch.address(), bytes, resident.data()), 0);
  std::size_t sum = 0;
  for (const unsigned char each : resident) sum += each & 1;
  return sum;
}

TEST(reservation, it_lies_at_a_multiple_of_its_own_size) {
  for (std::size_t bytes = 4096; bytes <= std::size_t{1} << 32; bytes *= 4) {
    const reservation one(bytes), other(bytes);
    ASSERT_NE(one.address(), nullptr) << bytes;
    ASSERT_NE(other.address(), nullptr) << bytes;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one.address()) % bytes, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(other.address()) % bytes, 0u);
    EXPECT_NE(one.address(), other.address());
    EXPECT_EQ(one.bytes(), bytes);
  }
}

TEST(reservation, it_may_be_larger_than_what_it_is_aligned_to) {
  constexpr std::size_t each = std::size_t{4} << 30;
  const reservation three(3 * each, each);
  ASSERT_NE(three.address(), nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(three.address()) % each, 0u);
  auto* const bytes = static_cast<char*>(three.address());
  bytes[0] = bytes[3 * each - 1] = 1;
}

TEST(reservation, it_is_zero_and_can_be_written_from_end_to_end) {
  const std::size_t bytes = std::size_t{1} << 20;
  const reservation stretch(bytes);
  auto* words = static_cast<std::uint64_t*>(stretch.address());
  const std::size_t count = bytes / sizeof *words;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum |= words[i];
  EXPECT_EQ(sum, 0u);
  for (std::size_t i = 0; i < count; ++i) words[i] = i;
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(words[i], i);
}

TEST(reservation, four_gibibytes_cost_only_what_is_touched) {
  const reservation stretch(std::size_t{1} << 32);
  ASSERT_NE(stretch.address(), nullptr);
  auto* bytes = static_cast<volatile char*>(stretch.address());
  for (const std::uint64_t at : {0x0u, 0x80000000u, 0xffffffffu}) EXPECT_EQ(bytes[at], 0);
  bytes[0] = 1;
  bytes[0xffffffff] = 2;
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[0xffffffff], 2);
  EXPECT_LE(resident_pages(stretch, std::size_t{1} << 30), 4u) << "of the first GiB";
}

TEST(reservation, it_is_given_back_when_it_goes) {
  void* address = nullptr;
  unsigned char resident = 0;
  {
    const reservation stretch(std::size_t{1} << 32);
    address = stretch.address();
    ASSERT_EQ(mincore(address, 4096, &resident), 0) << "mapped while it lives";
  }
  EXPECT_NE(mincore(address, 4096, &resident), 0) << "and not afterwards";
}

TEST(reservation, what_no_system_has_is_refused_with_a_null_address) {
  const reservation stretch(std::size_t{1} << 62);
  EXPECT_EQ(stretch.address(), nullptr);
}

}  // namespace
}  // namespace terrane
