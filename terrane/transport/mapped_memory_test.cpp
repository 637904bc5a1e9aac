// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/mapped_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace terrane {
namespace {

const int constant[1024] = {1};
int own_variable[1024];

TEST(mapped_memory, holds_what_a_program_can_write) {
  mapped_memory mine;
  int local[4] = {};
  const auto heap = std::make_unique<int[]>(1024);
  EXPECT_TRUE(mine.holds(local, sizeof local, true));
  EXPECT_TRUE(mine.holds(heap.get(), 4096, true));
  EXPECT_TRUE(mine.holds(own_variable, sizeof own_variable, true));
  EXPECT_TRUE(mine.holds(local, 0, true));
}

TEST(mapped_memory, holds_constants_for_reading_alone) {
  mapped_memory mine;
  EXPECT_TRUE(mine.holds(constant, sizeof constant, false));
  EXPECT_FALSE(mine.holds(constant, sizeof constant, true));
}

TEST(mapped_memory, does_not_hold_what_is_not_there) {
  mapped_memory mine;
  EXPECT_FALSE(mine.holds(nullptr, 8, false));
  EXPECT_FALSE(mine.holds(reinterpret_cast<void*>(0x10), 8, true));
  EXPECT_FALSE(mine.holds(reinterpret_cast<void*>(~std::uintptr_t{7}), 8, false));
  EXPECT_FALSE(mine.holds(own_variable, std::size_t{1} << 46, true)) << "a part is not enough";
  EXPECT_FALSE(mine.holds(own_variable, ~std::size_t{0}, true)) << "nor does it wrap around";
}

TEST(mapped_memory, sees_what_was_mapped_since_it_last_looked) {
  mapped_memory mine;
  EXPECT_FALSE(mine.holds(reinterpret_cast<void*>(0x10), 8, true));
  void* fresh = mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(fresh, MAP_FAILED);
  EXPECT_TRUE(mine.holds(fresh, 65536, true));
  munmap(fresh, 65536);
}

TEST(mapped_memory, tells_what_the_process_has_alone) {
  mapped_memory mine;
  void* const shared =
      mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  EXPECT_TRUE(mine.holds_alone(own_variable));
  EXPECT_TRUE(mine.holds(shared, 65536, true));
  EXPECT_FALSE(mine.holds_alone(shared));
  EXPECT_FALSE(mine.holds_alone(nullptr));
  munmap(shared, 65536);
}

}  // namespace
}  // namespace terrane
