// SPDX-License-Identifier: Apache-2.0
// raw_pointers_test.cpp: debug builds notice a raw pointer that goes to another process, on each
// way that an argument can take there.
#include <memory>
#include <string>

#include "tests/support/run_machine.hpp"

namespace terrane {
namespace {

/// A raw pointer, hidden in a number so that it compiles.
long hidden_pointer() {
  static const auto pointed_to = std::make_unique<long>(7);
  return static_cast<long>(reinterpret_cast<std::uintptr_t>(pointed_to.get()));
}

/// Answers where it ran.
struct carries_a_word : threaded<carries_a_word> {
  step start(long, reply<long> where) {
    where.send(static_cast<long>(terrane_here->number));
    return done;
  }
};

struct sends_a_word : threaded<sends_a_word> {
  long where;
  join back = on<&sends_a_word::came>();
  step start(bool hidden) {
    invoke<carries_a_word>(1, hidden ? hidden_pointer() : 7L, back.into(where));
    return await(back);
  }
  step came() { return done; }
};

/// Spawns until one of the tokens ran on another node.
struct offers_words : threaded<offers_words> {
  long where[64];
  bool hides;
  join back = on<&offers_words::came>();
  step start(bool hidden) {
    hides = hidden;
    return offer();
  }
  step offer() {
    for (long& each : where) spawn<carries_a_word>(hides ? hidden_pointer() : 7L, back.into(each));
    return await(back);
  }
  step came() {
    for (const long each : where)
      if (each != 0) return done;
    return offer();
  }
};

template <class Root>
std::string warnings_of(bool hidden) {
  run_options options;
  options.world = "shm";
  options.nodes = 2;
  options.enough = node_view::enough_all;
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_machine<Root>(options, hidden).exit_code, 0);
  return testing::internal::GetCapturedStderr();
}

template <class Root>
void expect_warned(const char* whither) {
  EXPECT_EQ(warnings_of<Root>(false), "");
  const std::string said = warnings_of<Root>(true);
#ifdef NDEBUG
  static_cast<void>(whither);
  EXPECT_EQ(said, "") << "only debug builds look";
#else
  EXPECT_NE(said.find("carries_a_word"), said.npos) << said;
  EXPECT_NE(said.find(whither), said.npos) << said;
#endif
}

TEST(raw_pointers, are_noticed_in_a_message) {
  expect_warned<sends_a_word>("on its way to processor 1, hold 0x");
}

TEST(raw_pointers, are_noticed_in_a_token_that_another_node_takes) {
  expect_warned<offers_words>("hold 0x");
}

}  // namespace
}  // namespace terrane
