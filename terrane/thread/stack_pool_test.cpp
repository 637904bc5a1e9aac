// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/stack_pool.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <set>

namespace terrane {
namespace {

TEST(stack_pool, a_stack_is_at_least_as_large_as_asked_less_its_guard) {
  stack_pool pool;
  for (const std::size_t bytes : {1u, 16384u, 16385u, 262144u, 1000000u}) {
    const stack one = pool.take(bytes);
    const stack_span guard = stack_pool::guard_of(one);
    EXPECT_GE(one.span.bytes + guard.bytes, bytes);
    EXPECT_EQ(guard.high(), one.span.low);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one.span.high()) % 4096, 0u);
    std::memset(one.span.low, 1, one.span.bytes);
  }
}

TEST(stack_pool, what_was_given_back_last_comes_first) {
  stack_pool pool;
  const stack one = pool.take(65536), other = pool.take(65536);
  EXPECT_NE(one.span.low, other.span.low);
  pool.give_back(one);
  pool.give_back(other);
  EXPECT_EQ(pool.take(65536).span.low, other.span.low);
  EXPECT_EQ(pool.take(65536).span.low, one.span.low);
}

TEST(stack_pool, more_than_the_largest_or_than_there_is_room_for_is_refused) {
  alignas(16384) static char memory[65536];
  stack_pool pool({memory, sizeof memory}, stack_guard::pattern);
  EXPECT_EQ(pool.take(std::size_t{2} << 30).span.low, nullptr);
  for (int i = 0; i < 4; ++i) EXPECT_NE(pool.take(1).span.low, nullptr);
  EXPECT_EQ(pool.take(1).span.low, nullptr);
}

TEST(stack_pool, a_pattern_tells_an_overflow_where_there_are_no_guards) {
  alignas(16384) static char memory[65536];
  stack_pool pool({memory, sizeof memory}, stack_guard::pattern);
  const stack one = pool.take(32768);
  EXPECT_TRUE(stack_pool::pattern_is_whole(one));
  one.span.low[5] ^= 1;
  EXPECT_FALSE(stack_pool::pattern_is_whole(one));
}

TEST(stack_pool, there_is_more_than_one_stretch_holds) {
  stack_pool pool;
  constexpr std::size_t bytes = std::size_t{1} << 30;
  std::set<const char*> all;
  for (std::size_t i = 0; i <= stack_pool::own_bytes / bytes; ++i) {
    const stack one = pool.take(bytes);
    ASSERT_NE(one.span.low, nullptr) << i << " of 1 GiB each";
    *one.span.low = 1;
    all.insert(one.span.low);
  }
  EXPECT_EQ(all.size(), stack_pool::own_bytes / bytes + 1);
}

TEST(visiting_guards, fault_below_a_stack_that_another_process_made) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr std::size_t bytes = 1 << 20;
  void* const shared =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  // As it comes from there: of its guard nothing is known here.
  stack_pool theirs({static_cast<char*>(shared), bytes}, stack_guard::pattern);
  const stack one = theirs.take(65536), other = theirs.take(65536);
  visiting_guards mine;
  const stack_guard made = mine.of(one);
  ASSERT_NE(made, stack_guard::none);
  if (made == stack_guard::pattern) GTEST_SKIP() << "there is no better guard here";
  EXPECT_EQ(mine.of(one), made);
  EXPECT_EQ(mine.of(other), made);
  *one.span.low = 1;
  EXPECT_DEATH(one.span.low[-1] = 1, "");
  EXPECT_DEATH(other.span.low[-1] = 1, "");
  munmap(shared, bytes);
}

class guards : public testing::TestWithParam<stack_guard> {};
INSTANTIATE_TEST_SUITE_P(both, guards,
                         testing::Values(stack_guard::installed, stack_guard::protected_page));

TEST_P(guards, fault_below_a_stack_and_nowhere_above) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  stack_pool whole;
  const stack around = whole.take(std::size_t{1} << 20);
  stack_pool pool({around.span.low, around.span.bytes}, GetParam());
  const stack one = pool.take(65536);
  one.span.low[0] = 1;
  EXPECT_DEATH(one.span.low[-1] = 1, "");
  EXPECT_DEATH(*stack_pool::guard_of(one).low = 1, "");
}

}  // namespace
}  // namespace terrane
