// SPDX-License-Identifier: Apache-2.0
// split_phase_test.cpp: what the receiver of each message does, and what is sent in answer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "terrane/core/fake_machine_test.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {
namespace {

const terrane_fiber told{nullptr, nullptr, "told", nullptr, 0, TERRANE_PRIORITY_DEFAULT, false};
constexpr terrane_function waiting{"waiting", nullptr, 0, 0, 64, 0, nullptr, nullptr, nullptr, 0};

class split_phase_messages : public testing::Test {
 protected:
  split_phase_messages() {
    frame_ = terrane_frame_new(&self_, &waiting, 0);
    slot_ = reinterpret_cast<terrane_slot*>(frame_ + 1);
    *slot_ = {1, {1}, &told};
  }
  template <class Head>
  void comes(entry kind, const Head& head, const std::string& body = {}) {
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    bytes += body;
    handle(self_,
           {kind, 1, bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data()), no_place});
  }
  /// True if the slot has been signalled since the last call.
  bool was_told() {
    terrane_ready next;
    return self_.take_ready(next) && next.fiber == &told;
  }
  terrane_slot_ref done() const { return terrane_ref(frame_, slot_); }
  terrane_global here(void* address) const { return terrane_place_on(0, address); }
  template <class Head>
  const Head& sent_head() const {
    return *reinterpret_cast<const Head*>(machine_.world.messages.back().bytes.data());
  }
  std::string sent_body(std::size_t head_bytes) const {
    return machine_.world.messages.back().bytes.substr(head_bytes);
  }

  fake_machine machine_{2, 1};
  processor& self_ = machine_.as_processor(0);
  terrane_frame* frame_;
  terrane_slot* slot_;
  long memory_[8]{};
};

TEST_F(split_phase_messages, a_put_writes_then_signals) {
  comes(entry::put, put_request{here(memory_), done()}, std::string(sizeof(long), '\1'));
  EXPECT_EQ(memory_[0], 0x0101010101010101);
  EXPECT_TRUE(was_told());
}

TEST_F(split_phase_messages, a_get_is_answered_by_a_put_to_whoever_asked) {
  memory_[2] = 42;
  const terrane_global asker = terrane_place_on(1, reinterpret_cast<void*>(0x1000));
  comes(entry::get, get_request{here(&memory_[2]), asker, sizeof(long), 0, 77});
  ASSERT_EQ(machine_.world.messages.size(), 1u);
  EXPECT_EQ(machine_.world.messages[0].to, 1u);
  EXPECT_EQ(machine_.world.messages[0].kind, entry::put);
  EXPECT_EQ(sent_head<put_request>().to, asker);
  EXPECT_EQ(sent_head<put_request>().done, 77u);
  EXPECT_EQ(sent_body(sizeof(put_request)), std::string(reinterpret_cast<char*>(&memory_[2]), 8));
}

TEST_F(split_phase_messages, an_atomic_add_answers_what_was_there_before) {
  memory_[0] = 40;
  comes(entry::atomic_add, add_request{2, here(memory_), here(&memory_[1]), done()});
  EXPECT_EQ(memory_[0], 42);
  EXPECT_EQ(memory_[1], 40);
  EXPECT_TRUE(was_told());
}

TEST_F(split_phase_messages, a_gather_packs_and_a_scatter_spreads) {
  for (int i = 0; i < 8; ++i) memory_[i] = i;
  const terrane_global asker = terrane_place_on(1, reinterpret_cast<void*>(0x1000));
  const terrane_stride every_third{3 * sizeof(long), sizeof(long), 3, sizeof(long)};
  comes(entry::gather, strided_request{here(memory_), asker, every_third, 77});
  const long expected[] = {0, 3, 6};
  EXPECT_EQ(machine_.world.messages.back().kind, entry::scatter);
  const std::string packed = sent_body(sizeof(strided_request));
  EXPECT_EQ(packed, std::string(reinterpret_cast<const char*>(expected), sizeof expected));

  const terrane_stride every_second{sizeof(long), 2 * sizeof(long), 3, sizeof(long)};
  comes(entry::scatter, strided_request{asker, here(memory_), every_second, done()}, packed);
  EXPECT_EQ(memory_[2], 3);
  EXPECT_EQ(memory_[4], 6);
  EXPECT_EQ(memory_[1], 1) << "between them nothing changes";
  EXPECT_TRUE(was_told());
}

TEST_F(split_phase_messages, an_allocation_answers_with_a_place_that_a_release_gives_back) {
  comes(entry::allocate, allocate_request{64, here(memory_), done()});
  EXPECT_TRUE(was_told());
  terrane_global place;
  std::memcpy(&place, memory_, sizeof place);
  EXPECT_EQ(terrane_owner_of(place), 0u);
  EXPECT_EQ(*static_cast<char*>(terrane_address_in(place)), 0);
  comes(entry::release, release_request{place});
}

TEST_F(split_phase_messages, data_for_an_activation_that_has_ended_is_named) {
  const terrane_slot_ref late = done();
  terrane_frame_free(&self_, frame_, 0);
  EXPECT_EXIT(comes(entry::put, put_request{here(memory_), late}, "12345678"),
              testing::ExitedWithCode(122), "ended while its split-phase operation was under way");
}

TEST_F(split_phase_messages, work_for_a_function_that_is_not_known_is_refused) {
  EXPECT_EXIT(comes(entry::invoke, function_entry{12345}), testing::ExitedWithCode(122),
              "was it registered");
}

TEST_F(split_phase_messages, what_no_runtime_sends_is_refused) {
  EXPECT_EXIT(comes(static_cast<entry>(200), std::uint64_t{0}), testing::ExitedWithCode(122),
              "which no runtime sends");
  EXPECT_EXIT(comes(entry::put, std::uint64_t{0}), testing::ExitedWithCode(122),
              "which no runtime sends");
}

TEST_F(split_phase_messages, a_stop_ends_the_run) {
  comes(entry::stop, std::uint64_t{0});
  EXPECT_TRUE(self_.stopping());
}

TEST_F(split_phase_messages, an_operation_asked_here_of_elsewhere_is_sent_there) {
  const terrane_global there = terrane_place_on(1, reinterpret_cast<void*>(0x1000));
  terrane_get(there, 8, here(memory_), done());
  EXPECT_EQ(machine_.world.messages.back().kind, entry::get);
  terrane_atomic_add(1, there, 0, done());
  EXPECT_EQ(machine_.world.messages.back().kind, entry::atomic_add);
  const long value = 7;
  terrane_put_far(&value, sizeof value, there, done());
  EXPECT_EQ(machine_.world.messages.back().kind, entry::put);
  EXPECT_EQ(machine_.world.messages.back().to, 1u);
}

}  // namespace
}  // namespace terrane
