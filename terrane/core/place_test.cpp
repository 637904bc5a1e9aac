// SPDX-License-Identifier: Apache-2.0
// place_test.cpp: names of slots and data keep every bit of what they were made of.
#include "terrane/core/place.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "terrane/cpp/global.hpp"

namespace terrane {
namespace {

constexpr std::uint64_t last_frame = TERRANE_ARENA_BYTES - 64;
constexpr std::uint32_t last_processor = TERRANE_PROCESSORS_MAX - 1;
constexpr std::array<std::uint32_t, 6> some_processors{0, 1, 2, 8191, 8192, last_processor};
constexpr std::array<std::uint64_t, 5> offsets{0, 64, 65536, std::uint64_t{1} << 31, last_frame};

TEST(place, a_frame_name_gives_back_processor_and_offset_at_the_extremes) {
  for (const std::uint32_t processor : some_processors)
    for (const std::uint64_t offset : offsets) {
      const terrane_slot_ref name = first_frame_name(processor, offset);
      EXPECT_EQ(processor_of(name), processor);
      EXPECT_EQ(terrane_frame_offset(name), offset);
      EXPECT_EQ(frame_of(name), name);
      EXPECT_EQ(name & TERRANE_NAME_SLOTS, 0u);
      EXPECT_NE(name, 0u);
    }
}

TEST(place, terrane_frame_at_finds_the_first_and_the_last_frame_of_an_arena) {
  // No memory is accessed: only the sum of addresses is checked.
  auto* arena = reinterpret_cast<terrane_processor*>(TERRANE_ARENA_BYTES * 5);
  for (const std::uint64_t offset : offsets) {
    terrane_frame* frame =
        terrane_frame_at(arena, first_frame_name(last_processor, offset) + TERRANE_NAME_SLOTS);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame), TERRANE_ARENA_BYTES * 5 + offset);
    EXPECT_EQ(terrane_owner_of_frame(frame), arena);
  }
}

TEST(place, a_slot_name_gives_back_its_frame_and_its_place_in_it) {
  alignas(64) static unsigned char memory[TERRANE_SLOT_REACH];
  auto* frame = reinterpret_cast<terrane_frame*>(memory);
  for (const std::uint32_t processor : some_processors)
    for (const std::uint64_t offset : offsets)
      for (const unsigned index : {1u, 2u, 511u, 512u, 1023u}) {
        frame->name = first_frame_name(processor, offset);
        auto* slot = reinterpret_cast<terrane_slot*>(memory + std::size_t{index} * 16);
        const terrane_slot_ref ref = terrane_ref(frame, slot);
        EXPECT_EQ(frame_of(ref), frame->name);
        EXPECT_EQ((ref & TERRANE_NAME_SLOTS) >> 16, index);
        EXPECT_EQ(terrane_slot_in(frame, ref), slot);
        EXPECT_EQ(processor_of(ref), processor);
        EXPECT_EQ(terrane_frame_offset(ref), offset);
      }
}

TEST(place, only_a_processor_s_own_living_slots_are_live_here) {
  static terrane_processor here;
  alignas(64) static unsigned char memory[TERRANE_SLOT_REACH];
  auto* frame = reinterpret_cast<terrane_frame*>(memory);
  for (const std::uint32_t processor : some_processors)
    for (const std::uint64_t offset : offsets)
      for (const unsigned index : {1u, 1023u}) {
        here.number = here.signals_to = processor;
        const terrane_slot_ref mine =
            first_frame_name(processor, offset) + (terrane_slot_ref{index} << 16);
        frame->name = first_frame_name(processor, offset);
        EXPECT_TRUE(terrane_is_live_here(&here, frame, mine));
        EXPECT_TRUE(terrane_is_live_here(&here, frame, frame->name));
        frame->name += TERRANE_GENERATION_STEP;
        EXPECT_FALSE(terrane_is_live_here(&here, frame, mine)) << "its activation has ended";
        frame->name = first_frame_name(processor, offset ^ 64);
        EXPECT_FALSE(terrane_is_live_here(&here, frame, mine));
        for (const std::uint32_t other : some_processors) {
          if (other == processor) continue;
          const terrane_slot_ref foreign = first_frame_name(other, offset) + (mine & 0x3ff0000);
          for (const terrane_slot_ref held : {foreign, frame_of(foreign), mine}) {
            frame->name = held;  // a program may store any name where a foreign frame would begin
            EXPECT_FALSE(terrane_is_live_here(&here, frame, foreign));
          }
        }
      }
}

TEST(place, a_generation_wraps_without_touching_the_rest_of_the_name) {
  terrane_slot_ref name = first_frame_name(last_processor, last_frame);
  const terrane_slot_ref first = name;
  std::set<terrane_slot_ref> seen;
  for (int generation = 0; generation < 4096; ++generation) {
    ASSERT_TRUE(seen.insert(name).second) << "a name came back after " << generation;
    ASSERT_EQ(processor_of(name), last_processor);
    ASSERT_EQ(terrane_frame_offset(name), last_frame);
    name += TERRANE_GENERATION_STEP;
  }
  EXPECT_EQ(name, first) << "12 bits of generation";
}

TEST(place, a_global_gives_back_processor_and_address_at_the_extremes) {
  terrane_processor pretended{};
  terrane_processor* before = terrane_here;
  terrane_here = &pretended;
  for (const std::uint32_t processor : some_processors)
    for (const std::uintptr_t address :
         {std::uintptr_t{0}, std::uintptr_t{8}, (std::uintptr_t{1} << 47) - 1,
          (std::uintptr_t{1} << 50) - 1}) {
      pretended.number = pretended.signals_to = processor;
      const terrane_global place = terrane_to_global(reinterpret_cast<const void*>(address));
      EXPECT_EQ(terrane_owner_of(place), processor);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(terrane_address_in(place)), address);
    }
  terrane_here = before;
}

TEST(place, arithmetic_on_a_global_moves_by_elements_and_keeps_the_owner) {
  const global<std::int64_t> place{
      terrane_place_on(last_processor, reinterpret_cast<void*>(0x7000'0000'0000))};
  EXPECT_EQ((place + 3).raw, place.raw + 24);
  EXPECT_EQ((place - 3).raw, place.raw - 24);
  EXPECT_EQ((place + -3), place - 3);
  EXPECT_EQ((place + 1'000'000 - 1'000'000), place);
  EXPECT_EQ((place + 3).owner(), last_processor);
  EXPECT_EQ((place - 3).owner(), last_processor);
  EXPECT_FALSE(static_cast<bool>(global<int>{}));
  EXPECT_TRUE(static_cast<bool>(place));
}

TEST(place, what_crosses_nodes_is_told_apart_when_compiling) {
  static_assert(wire_value<int> && wire_value<double> && wire_value<bool> && wire_value<int[4]>);
  static_assert(wire_value<global<int>> && wire_value<slot_ref> && wire_value<reply<int>>);
  static_assert(wire_value<reply<void>> && wire_value<reply<global<long>>>);
  static_assert(!wire_value<int*> && !wire_value<const char*> && !wire_value<int* [2]>);
  struct undeclared {
    int number;
  };
  static_assert(!wire_value<undeclared>);
}

}  // namespace
}  // namespace terrane
