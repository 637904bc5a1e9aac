// SPDX-License-Identifier: Apache-2.0
// object_test.cpp: objects asked on their own processor, from others, and by their branches.
#include "terrane/core/object.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "terrane/core/fake_machine_test.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {
namespace {

class tally final : public object {
 public:
  static constexpr char called[] = "tally";
  tally() = default;
  explicit tally(branch_of whole) : whole_(whole.whole) {}

  void operate(const operation_request& asked) override {
    sum += static_cast<int>(asked.what);
    if (asked.record.size != 0) sum += asked.as<int>();
    body_bytes += asked.body.size;
    last_from = asked.from;
  }
  std::size_t waiting() const override { return waiters; }

  int sum = 0;
  std::size_t body_bytes = 0, waiters = 0;
  processor_id last_from = 99;
  terrane_slot_ref whole_ = 0;
};

class objects_of_a_processor : public testing::Test {
 protected:
  /// Delivers to this processor the message that it sent last, as if from the processor `from`.
  void comes_back(processor_id from) {
    const std::string bytes = machine_.world.messages.back().bytes;
    operation_arrived(self_, {entry::operate, from, bytes.size(),
                              reinterpret_cast<const unsigned char*>(bytes.data()), no_place});
  }
  static terrane_slot_ref elsewhere(processor_id p) {
    return first_frame_name(p, processor::frames_offset);
  }

  fake_machine machine_{3, 1};
  processor& self_ = machine_.as_processor(0);
};

TEST_F(objects_of_a_processor, are_asked_by_a_call_where_they_lie) {
  tally& mine = make_object<tally>();
  EXPECT_TRUE(is_object(*(reinterpret_cast<terrane_frame*>(&mine) - 1)));
  ask<tally>(mine.name(), 3, 40);
  EXPECT_EQ(mine.sum, 43);
  EXPECT_EQ(mine.last_from, 0u);
  EXPECT_TRUE(machine_.world.messages.empty());
  free_object(mine);
}

TEST_F(objects_of_a_processor, are_asked_by_a_message_from_elsewhere) {
  ask<tally>(elsewhere(2), 3, 40, {"abcde", 5});
  ASSERT_EQ(machine_.world.messages.size(), 1u);
  EXPECT_EQ(machine_.world.messages[0].to, 2u);
  EXPECT_EQ(machine_.world.messages[0].kind, entry::operate);
}

TEST_F(objects_of_a_processor, get_record_and_body_of_a_message_as_they_were_sent) {
  tally& mine = make_object<tally>();
  ask_at<tally>(1, mine.name(), 3, 40, {"abcde", 5});
  comes_back(1);
  EXPECT_EQ(mine.sum, 43);
  EXPECT_EQ(mine.body_bytes, 5u);
  EXPECT_EQ(mine.last_from, 1u);
  free_object(mine);
}

TEST_F(objects_of_a_processor, have_one_branch_here_for_one_elsewhere_made_when_it_is_asked) {
  const terrane_slot_ref whole = elsewhere(2);
  ask_at<tally>(0, whole, 1, 10);
  ask_at<tally>(0, whole, 1, 10);
  ASSERT_EQ(self_.messages().branches.size(), 1u);
  const auto& branch = static_cast<const tally&>(*self_.messages().branches.at(whole));
  EXPECT_EQ(branch.sum, 22);
  EXPECT_EQ(branch.whole_, whole);
  free_branch(whole);
  EXPECT_TRUE(self_.messages().branches.empty());
}

TEST_F(objects_of_a_processor, that_were_freed_are_named_when_they_are_asked) {
  tally& mine = make_object<tally>();
  const terrane_slot_ref name = mine.name();
  free_object(mine);
  EXPECT_EQ(find_object(kind_of<tally>::known(), name), nullptr);
  EXPECT_EXIT(ask<tally>(name, 1), testing::ExitedWithCode(122), "the tally .* was freed");
}

TEST_F(objects_of_a_processor, are_not_freed_while_somebody_waits) {
  tally& mine = make_object<tally>();
  mine.waiters = 2;
  EXPECT_EXIT(free_unawaited(mine), testing::ExitedWithCode(122), "freed while 2 wait for it");
  mine.waiters = 0;
  free_unawaited(mine);
}

TEST_F(objects_of_a_processor, of_an_unknown_kind_are_refused) {
  tally& mine = make_object<tally>();
  ask_at<tally>(1, mine.name(), 3, 40);
  operate_request head;
  std::memcpy(&head, machine_.world.messages.back().bytes.data(), sizeof head);
  head.kind += 8;
  std::memcpy(machine_.world.messages.back().bytes.data(), &head, sizeof head);
  EXPECT_EXIT(comes_back(1), testing::ExitedWithCode(122), "this process has none such");
  free_object(mine);
}

TEST(object_stations, are_the_owner_in_its_own_node_and_the_first_processor_elsewhere) {
  fake_machine machine(3, 2);
  machine.as_processor(1);
  const terrane_slot_ref name = first_frame_name(3, processor::frames_offset);
  EXPECT_EQ(station_of(name, 1), 3u);
  EXPECT_EQ(station_of(name, 2), 4u);
  EXPECT_EQ(station_here(name), 0u);
}

}  // namespace
}  // namespace terrane
