// SPDX-License-Identifier: Apache-2.0
// policies_test.cpp: where each policy puts the members of a rope, on machines that are only told.
#include <gtest/gtest.h>

#include <vector>

#include "terrane/balance/rope/processor_loads.hpp"
#include "terrane/balance/rope/table.hpp"

namespace terrane {
namespace {

/// A chain of members that say 100 bytes to their neighbours.
class chain {
 public:
  chain(std::vector<processor_id> at, std::vector<std::uint64_t> ran_ns) : at_(std::move(at)) {
    const auto n = static_cast<std::uint32_t>(at_.size());
    talks_.resize(n);
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      if (rank > 0) talks_[rank].push_back({rank - 1, 100});
      if (rank + 1 < n) talks_[rank].push_back({rank + 1, 100});
      members_.push_back({at_[rank], true, ran_ns[rank], 1000, talks_[rank]});
    }
  }
  rope_member& operator[](std::size_t rank) { return members_[rank]; }
  std::vector<processor_id> placed_by(const char* name, std::uint32_t processors) {
    std::vector<processor_id> at = at_;
    choose_rope_balancer(name).value()()->place({members_, processors, 1}, at);
    return at;
  }
  std::uint64_t most(const std::vector<processor_id>& at, std::uint32_t processors) const {
    return balance::processor_loads({members_, processors, 1}, at).most();
  }

 private:
  std::vector<processor_id> at_;
  std::vector<rope_member> members_;
  std::vector<std::vector<rope_talk>> talks_;
};

using places = std::vector<processor_id>;
constexpr const char* all[] = {"greedy", "refine", "neighbours"};

TEST(policies_for_ropes, even_out_what_is_uneven) {
  for (const char* each : all) {
    chain uneven({0, 0, 0, 0, 1, 1, 1, 1}, {40, 40, 40, 40, 10, 10, 10, 10});
    const places at = uneven.placed_by(each, 2);
    EXPECT_LE(uneven.most(at, 2), 120u) << each;
  }
}

TEST(policies_for_ropes, leave_what_is_even) {
  for (const char* each : all) {
    chain even({0, 0, 1, 1}, {50, 49, 48, 52});
    EXPECT_EQ(even.placed_by(each, 2), (places{0, 0, 1, 1})) << each;
    chain nothing_yet({0, 0, 1, 1}, {0, 0, 0, 0});
    EXPECT_EQ(nothing_yet.placed_by(each, 2), (places{0, 0, 1, 1})) << each;
  }
}

TEST(policies_for_ropes, leave_members_that_may_not_move) {
  for (const char* each : {"greedy", "neighbours"}) {
    chain uneven({0, 0, 0, 0}, {10, 10, 10, 10});
    uneven[0].may_move = uneven[1].may_move = false;
    const places at = uneven.placed_by(each, 2);
    EXPECT_EQ((places{at[0], at[1]}), (places{0, 0})) << each;
    EXPECT_EQ((places{at[2], at[3]}), (places{1, 1})) << each;
  }
}

TEST(policies_for_ropes, keep_neighbours_together) {
  chain scattered({0, 1, 0, 1, 0, 1, 0, 1}, {10, 10, 10, 10, 10, 10, 10, 10});
  EXPECT_EQ(scattered.placed_by("neighbours", 2), (places{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(scattered.placed_by("refine", 2), (places{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(policies_for_ropes, move_few_where_few_are_enough) {
  chain uneven({0, 0, 0, 1, 1, 1, 2, 2, 2}, {30, 10, 10, 10, 10, 10, 10, 10, 10});
  const places at = uneven.placed_by("refine", 3);
  int moved = 0;
  const places before{0, 0, 0, 1, 1, 1, 2, 2, 2};
  for (std::size_t i = 0; i < at.size(); ++i) moved += at[i] != before[i];
  EXPECT_LE(moved, 2);
  EXPECT_LE(uneven.most(at, 3), 40u);
}

TEST(policies_for_ropes, are_known_by_name) {
  EXPECT_FALSE(choose_rope_balancer("none").value());
  EXPECT_NE(choose_rope_balancer("nobody").problem().find("choose one of none, greedy"),
            std::string::npos);
}

}  // namespace
}  // namespace terrane
