// SPDX-License-Identifier: Apache-2.0
// mailbox_test.cpp: items of any size from anywhere come out in the order of their sender.
#include "terrane/talk/mailbox.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class mailboxes : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, mailboxes, small_machines(), machine_name);

struct item {
  std::uint32_t sender;
  int number;
};

}  // namespace

template <>
inline constexpr bool position_independent<item> = true;

namespace {

constexpr int items_each = 400;

struct sender : threaded<sender> {
  step start(global<mailbox> box, int count) {
    for (int i = 0; i < count; ++i) drop_in(box, item{this_processor(), i});
    return done;
  }
};

/// One fiber run for each item; of each sender they come in order.
struct reader : threaded<reader> {
  int* faults;
  int left;
  std::array<int, small_machine_processors_max> next;
  slot arrived = on<&reader::read>(1);
  mailbox box{ref(arrived)};

  step start(int* count) {
    faults = count;
    *faults = static_cast<int>(box.items());
    next.fill(0);
    left = items_each * static_cast<int>(processors());
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<sender>(i, to_global(box), items_each);
    return wait;
  }
  step read() {
    item got{};
    *faults += box.items() == 0 || box.next_bytes() != sizeof got;
    *faults += !box.retrieve(got);
    *faults += got.sender >= processors() || got.number != next[got.sender]++;
    if (--left != 0) return wait;
    *faults += box.items() != 0 || box.next_bytes() != 0 || box.retrieve(got);
    return done;
  }
};

TEST_P(mailboxes, items_of_each_sender_come_out_in_order_and_each_wakes_the_reader) {
  expect_no_faults<reader>();
}

/// The reader hears of the last one only and takes them all.
struct batch_reader : threaded<batch_reader> {
  int* faults;
  slot all_there = on<&batch_reader::read>(20);
  mailbox box{ref(all_there)};

  step start(int* count) {
    faults = count;
    *faults = 0;
    invoke<sender>(processors() - 1, to_global(box), 20);
    return wait;
  }
  step read() {
    *faults += box.items() != 20;
    item got{};
    for (int i = 0; i < 20; ++i) *faults += !box.retrieve(got) || got.number != i;
    return done;
  }
};

TEST_P(mailboxes, items_wait_until_they_are_taken) { expect_no_faults<batch_reader>(); }

/// From one byte to what no message cell holds.
constexpr std::array<std::size_t, 8> item_sizes{1, 7, 8, 96, 97, 104, 105, 100'000};

struct raw_sender : threaded<raw_sender> {
  step start(global<mailbox> box) {
    for (const std::size_t bytes : item_sizes) {
      std::vector<unsigned char> made(bytes, static_cast<unsigned char>(bytes));
      drop_in_bytes(box, made.data(), bytes);
      std::memset(made.data(), 0, bytes);  // it was copied
    }
    return done;
  }
};
struct raw_reader : threaded<raw_reader> {
  int* faults;
  slot all_there = on<&raw_reader::read>(item_sizes.size());
  mailbox box{ref(all_there)};

  step start(int* count) {
    faults = count;
    *faults = 0;
    invoke<raw_sender>(processors() - 1, to_global(box));
    return wait;
  }
  step read() {
    for (const std::size_t bytes : item_sizes) {
      *faults += box.next_bytes() != bytes;
      std::vector<unsigned char> got(bytes + 1, 0xee);
      *faults += box.retrieve_bytes(got.data(), bytes) != bytes;
      for (std::size_t i = 0; i < bytes; ++i)
        *faults += got[i] != static_cast<unsigned char>(bytes);
      *faults += got[bytes] != 0xee;
    }
    return done;
  }
};

TEST_P(mailboxes, an_item_may_be_of_any_size) { expect_no_faults<raw_reader>(); }

struct left_alone : threaded<left_alone> {
  slot arrived = on<&left_alone::read>(1);
  mailbox box{ref(arrived)};
  step start(int* faults) {
    *faults = 0;
    drop_in(to_global(box), 1);
    drop_in(to_global(box), 2);
    return wait;
  }
  step read() { return wait_for_second(); }
  step wait_for_second() { return ++runs == 2 ? done : wait; }
  int runs = 0;
};

TEST_P(mailboxes, items_nobody_took_go_with_the_mailbox) { expect_no_faults<left_alone>(); }

// --- misuse ---

/// Drops an item of `bytes` into its own mailbox and takes it as a long.
struct wrong_size : threaded<wrong_size> {
  slot arrived = on<&wrong_size::read>(1);
  mailbox box{ref(arrived)};
  step start(int bytes) {
    const std::array<unsigned char, 64> made{};
    drop_in_bytes(to_global(box), made.data(), static_cast<std::size_t>(bytes));
    return wait;
  }
  step read() {
    long taken = 0;
    box.retrieve(taken);
    return done;
  }
};

int run_wrong_size(int bytes) {
  run_options options;
  return run_machine<wrong_size>(options, bytes).exit_code;
}

TEST(mailbox_death, an_item_larger_than_what_it_is_retrieved_into_ends_the_run) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_wrong_size(9), testing::ExitedWithCode(122),
              "an item of 9 bytes was retrieved into 8 bytes");
}

TEST(mailbox_death, an_item_smaller_than_what_it_is_retrieved_into_ends_the_run) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EQ(run_wrong_size(8), 0);
  EXPECT_EXIT(run_wrong_size(7), testing::ExitedWithCode(122), "an item of 7 bytes");
}

}  // namespace
}  // namespace terrane
