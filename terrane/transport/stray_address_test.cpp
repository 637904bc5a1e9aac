// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/stray_address.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <memory>

namespace terrane {
namespace {

std::uint64_t address_of(const void* there) { return reinterpret_cast<std::uintptr_t>(there); }

template <std::size_t n>
std::optional<std::size_t> found_in(const std::array<std::uint64_t, n>& words) {
  own_memory mine;
  return find_address(mine, {words.data(), sizeof words});
}

TEST(stray_address, finds_addresses_of_the_stack_the_heap_and_the_executable) {
  static int variable;
  const int local = 0;
  const auto heap = std::make_unique<int>();
  EXPECT_EQ(found_in(std::array{address_of(&local)}), 0u);
  EXPECT_EQ(found_in(std::array{std::uint64_t{1}, address_of(heap.get())}), 8u);
  EXPECT_EQ(found_in(std::array<std::uint64_t, 3>{1, 2, address_of(&variable)}), 16u);
}

TEST(stray_address, lets_numbers_and_places_be) {
  const int local = 0;
  const std::uint64_t place = terrane_place_on(0, &local);
  EXPECT_EQ(found_in(std::array<std::uint64_t, 4>{0, 42, 1u << 31, ~std::uint64_t{0}}),
            std::nullopt);
  EXPECT_EQ(found_in(std::array{place, std::bit_cast<std::uint64_t>(1.5)}), std::nullopt);
}

TEST(stray_address, looks_at_whole_words_alone) {
  own_memory mine;
  const std::uint64_t word = address_of(&mine);
  EXPECT_EQ(find_address(mine, {&word, 7}), std::nullopt);
  EXPECT_EQ(find_address(mine, {nullptr, 0}), std::nullopt);
}

TEST(stray_address, is_said_once_for_each_function_and_names_the_word) {
  own_memory mine;
  stray_address_watch watch;
  const std::uint64_t word = address_of(&mine), head[2] = {0, 0};
  const auto send = [&](entry kind) {
    watch.look_through(mine, 3, kind, {head, sizeof head}, {&word, sizeof word});
  };
  testing::internal::CaptureStderr();
  send(entry::put);
  send(entry::put);
  send(entry::invoke);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("the data of a split-phase operation, on its way to processor 3"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("the arguments of a function"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
}

}  // namespace
}  // namespace terrane
