// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/stray_address.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <memory>

namespace terrane {
namespace {

constexpr std::uint32_t machine_processors = 4;

std::uint64_t address_of(const void* there) { return reinterpret_cast<std::uintptr_t>(there); }

template <std::size_t n>
std::optional<std::size_t> found_in(const std::array<std::uint64_t, n>& words) {
  mapped_memory mine;
  return find_address(mine, {words.data(), sizeof words}, machine_processors);
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
  EXPECT_EQ(found_in(std::array<std::uint64_t, 4>{0, 42, 0x21000000088, ~std::uint64_t{0}}),
            std::nullopt);
  EXPECT_EQ(found_in(std::array{place, std::bit_cast<std::uint64_t>(1.5)}), std::nullopt);
}

TEST(stray_address, lets_the_address_in_a_reply_be) {
  const int local = 0;
  const terrane_slot_ref slot = first_frame_name(3, 1 << 16) + terrane_slot_bits(7 * 16),
                         elsewhere = first_frame_name(machine_processors, 1 << 16);
  EXPECT_EQ(found_in(std::array{std::uint64_t{5}, slot, address_of(&local)}), std::nullopt);
  EXPECT_EQ(found_in(std::array{slot, address_of(&local), address_of(&local)}), 16u);
  EXPECT_EQ(found_in(std::array{elsewhere, address_of(&local)}), 8u)
      << "there is no such processor";
}

TEST(stray_address, lets_memory_be_that_processes_share) {
  void* const shared =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  EXPECT_EQ(found_in(std::array{address_of(shared)}), std::nullopt);
  munmap(shared, 4096);
}

TEST(stray_address, knows_the_addresses_of_another_process) {
  int ready[2], over[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(over), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto fresh = address_of(
        mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    char end;
    close(over[1]);
    _exit(write(ready[1], &fresh, sizeof fresh) < 0 || read(over[0], &end, 1) < 0);
  }
  std::uint64_t theirs = 0;
  ASSERT_EQ(read(ready[0], &theirs, sizeof theirs), static_cast<ssize_t>(sizeof theirs));
  mapped_memory of_child(child);
  EXPECT_EQ(find_address(of_child, {&theirs, sizeof theirs}, machine_processors), 0u);
  EXPECT_EQ(found_in(std::array{theirs}), std::nullopt) << "here it is none";
  for (const int end : {ready[0], ready[1], over[0], over[1]}) close(end);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST(stray_address, looks_at_whole_words_alone) {
  mapped_memory mine;
  const std::uint64_t word = address_of(&mine);
  EXPECT_EQ(find_address(mine, {&word, 7}, machine_processors), std::nullopt);
  EXPECT_EQ(find_address(mine, {nullptr, 0}, machine_processors), std::nullopt);
}

TEST(stray_address, is_said_once_for_each_function_and_names_the_word) {
  mapped_memory mine;
  stray_address_watch watch(machine_processors);
  const std::uint64_t word = address_of(&mine), head[2] = {0, 0};
  const auto send = [&](entry kind) {
    watch.look_through(mine, 3, kind, {head, sizeof head}, {&word, sizeof word});
  };
  testing::internal::CaptureStderr();
  send(entry::put);
  send(entry::put);
  send(entry::invoke);
  const terrane_function fib{"fib", nullptr, 0, 0, 0, sizeof word, nullptr, nullptr, nullptr, 0};
  for (int i = 0; i < 2; ++i) watch.look_through(mine, 4, fib, {&word, sizeof word});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("the data of a split-phase operation, on its way to processor 3"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("the arguments of a function"), std::string::npos) << said;
  EXPECT_NE(said.find("the arguments of fib, taken from node 4, hold"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 3) << said;
}

}  // namespace
}  // namespace terrane
