// SPDX-License-Identifier: Apache-2.0
// frame_arena_test.cpp: size classes fit tightly, free lists hold every frame once, names are
// right.
#include "terrane/core/frame_arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "terrane/base/reservation.hpp"

namespace terrane {
namespace {

std::uint32_t class_of(std::uint32_t bytes) { return TERRANE_FRAME_CLASS(bytes); }

TEST(frame_class, every_size_up_to_a_mebibyte_gets_the_smallest_class_that_holds_it) {
  for (std::uint32_t bytes = 1; bytes <= TERRANE_FRAME_BYTES_MAX; ++bytes) {
    const std::uint32_t mine = class_of(bytes);
    ASSERT_LT(mine, static_cast<std::uint32_t>(TERRANE_FRAME_CLASSES)) << bytes;
    ASSERT_GE(frame_class_bytes(mine), bytes);
    if (mine > 0) { ASSERT_LT(frame_class_bytes(mine - 1), bytes); }
  }
}

TEST(frame_class, a_size_at_a_boundary_is_its_own_class_and_one_more_byte_the_next) {
  for (std::uint32_t bytes = 64; bytes < TERRANE_FRAME_BYTES_MAX;
       bytes = bytes < 1024 ? bytes + 64 : 2 * bytes) {
    EXPECT_EQ(frame_class_bytes(class_of(bytes)), bytes);
    EXPECT_EQ(class_of(bytes + 1), class_of(bytes) + 1);
  }
  EXPECT_EQ(frame_class_bytes(class_of(TERRANE_FRAME_BYTES_MAX)), TERRANE_FRAME_BYTES_MAX);
}

TEST(frame_class, every_class_is_a_multiple_of_a_cache_line) {
  for (std::uint32_t each = 0; each <= class_of(TERRANE_FRAME_BYTES_MAX); ++each)
    EXPECT_EQ(frame_class_bytes(each) % 64, 0u);
}

/// An arena that begins with a bare processor, set up only as far as the arena needs it.
class arena_test : public testing::Test {
 protected:
  static constexpr std::uint64_t first = 64 * 1024;
  static constexpr std::uint32_t number = 77;

  arena_test() : memory_(TERRANE_ARENA_BYTES), owner_(new(memory_.address()) terrane_processor{}) {
    owner_->number = owner_->signals_to = number;
  }

  /// The frames of a free list, unlinked.
  static std::vector<terrane_frame*> all_of(terrane_frame* list) {
    std::vector<terrane_frame*> all;
    while (list) {
      all.push_back(list);
      list = reinterpret_cast<terrane_frame*>(reinterpret_cast<std::uintptr_t>(list->function) - 1);
    }
    return all;
  }
  std::uint64_t offset_of(const terrane_frame* frame) const {
    return static_cast<std::uint64_t>(reinterpret_cast<const char*>(frame) -
                                      reinterpret_cast<const char*>(owner_));
  }

  reservation memory_;
  terrane_processor* owner_;
};

TEST_F(arena_test, a_refill_gives_frames_side_by_side_each_with_its_name) {
  frame_arena arena(*owner_, first, TERRANE_ARENA_BYTES - first);
  const std::uint32_t frame_class = class_of(200);
  const auto frames = all_of(arena.refill(frame_class));
  ASSERT_GT(frames.size(), 10u);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(offset_of(frames[i]), first + i * frame_class_bytes(frame_class));
    EXPECT_EQ(frames[i]->name, first_frame_name(number, offset_of(frames[i])));
    EXPECT_EQ(terrane_frame_at(owner_, frames[i]->name), frames[i]);
    EXPECT_EQ(terrane_owner_of_frame(frames[i]), owner_);
  }
  EXPECT_EQ(arena.bytes(), frames.size() * frame_class_bytes(frame_class));
}

TEST_F(arena_test, refills_of_all_classes_never_overlap) {
  frame_arena arena(*owner_, first, TERRANE_ARENA_BYTES - first);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches;  // offset, bytes
  for (int round = 0; round < 3; ++round)
    for (std::uint32_t each = 0; each <= class_of(TERRANE_FRAME_BYTES_MAX); ++each)
      for (const terrane_frame* frame : all_of(arena.refill(each)))
        stretches.emplace_back(offset_of(frame), frame_class_bytes(each));
  std::sort(stretches.begin(), stretches.end());
  EXPECT_GE(stretches.front().first, first);
  for (std::size_t i = 1; i < stretches.size(); ++i)
    ASSERT_GE(stretches[i].first, stretches[i - 1].first + stretches[i - 1].second);
  EXPECT_LE(stretches.back().first + stretches.back().second, first + arena.bytes());
}

TEST_F(arena_test, what_is_taken_lives_until_it_is_freed_and_gets_a_new_name) {
  frame_arena arena(*owner_, first, TERRANE_ARENA_BYTES - first);
  static const terrane_function function{};
  const std::uint32_t frame_class = class_of(64);
  owner_->free_frames[frame_class] = arena.refill(frame_class);
  const auto live = [&] {
    std::set<const terrane_frame*> found;
    arena.for_each_live([&](terrane_frame& each) { EXPECT_TRUE(found.insert(&each).second); });
    return found;
  };
  EXPECT_TRUE(live().empty());
  terrane_frame* one = terrane_frame_new(owner_, &function, frame_class);
  terrane_frame* other = terrane_frame_new(owner_, &function, frame_class);
  EXPECT_NE(one, other);
  EXPECT_EQ(live(), (std::set<const terrane_frame*>{one, other}));
  const terrane_slot_ref name = one->name;
  terrane_frame_free(owner_, one, frame_class);
  EXPECT_EQ(live(), (std::set<const terrane_frame*>{other}));
  EXPECT_GT(one->name ^ name, TERRANE_NAME_SLOTS) << "every older name is stale";
  EXPECT_EQ(terrane_frame_new(owner_, &function, frame_class), one) << "the last freed is warm";
  EXPECT_EQ(one->name, name + TERRANE_GENERATION_STEP);
}

TEST_F(arena_test, a_frame_whose_generations_have_come_round_rests_until_enough_others_have) {
  frame_arena arena(*owner_, first, TERRANE_ARENA_BYTES - first);
  const std::uint32_t frame_class = class_of(256 * 1024);
  const std::size_t resting = frame_arena::resting_max(frame_class);
  std::vector<terrane_frame*> worn;
  std::set<terrane_slot_ref> names;
  while (arena.names_reused() == 0) {
    terrane_frame* const frame = arena.refill(frame_class);
    worn.push_back(frame);
    for (std::uint64_t lives = 0; lives < generations; ++lives) {
      ASSERT_TRUE(names.insert(frame->name).second) << "a name came again";
      frame->name += TERRANE_GENERATION_STEP;
    }
    arena.rest(*frame, frame_class);
    EXPECT_FALSE(names.contains(frame->name)) << "what rests has no name that was ever used";
  }
  EXPECT_EQ(worn.size(), resting + 1);
  EXPECT_EQ(owner_->free_frames[frame_class], worn[0]) << "the one that has rested longest";
  EXPECT_EQ(all_of(owner_->free_frames[frame_class]).size(), 1u);
  EXPECT_EQ(worn[0]->name, first_frame_name(number, offset_of(worn[0])));
  arena.for_each_live([](terrane_frame&) { ADD_FAILURE() << "none of them is an activation"; });
}

TEST_F(arena_test, resting_frames_are_used_again_before_memory_ends) {
  constexpr std::uint64_t limit = 256 * 1024;
  frame_arena arena(*owner_, first, limit);
  const std::uint32_t frame_class = class_of(limit);
  terrane_frame* const only = arena.refill(frame_class);
  only->name += generations * TERRANE_GENERATION_STEP;
  arena.rest(*only, frame_class);
  EXPECT_EQ(owner_->free_frames[frame_class], nullptr);
  EXPECT_EQ(arena.refill(frame_class), only);
  EXPECT_EQ(all_of(only).size(), 1u);
  EXPECT_EQ(arena.names_reused(), 1u);
}

TEST_F(arena_test, running_out_of_frame_memory_is_a_named_error) {
  constexpr std::uint64_t limit = 1 << 20;
  frame_arena arena(*owner_, first, limit);
  const std::uint32_t frame_class = class_of(64 * 1024);
  for (int i = 0; i < 16; ++i) EXPECT_NE(arena.refill(frame_class), nullptr);
  EXPECT_EQ(arena.bytes(), limit);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(arena.refill(0), testing::ExitedWithCode(122),
              "R-240: the frames of processor 77 need more than 1 MiB: raise --frame-memory");
}

TEST_F(arena_test, the_last_frame_of_a_whole_arena_still_has_a_name) {
  frame_arena arena(*owner_, first, TERRANE_ARENA_BYTES - first);
  const std::uint32_t frame_class = class_of(TERRANE_FRAME_BYTES_MAX);
  terrane_frame* last = nullptr;
  while (first + arena.bytes() + TERRANE_FRAME_BYTES_MAX <= TERRANE_ARENA_BYTES)
    last = arena.refill(frame_class);
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(terrane_frame_at(owner_, last->name), last);
  EXPECT_GT(offset_of(last), TERRANE_ARENA_BYTES - 2 * TERRANE_FRAME_BYTES_MAX);
}

}  // namespace
}  // namespace terrane
