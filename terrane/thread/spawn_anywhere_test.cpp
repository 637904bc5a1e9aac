// SPDX-License-Identifier: Apache-2.0
// spawn_anywhere_test.cpp: futures of objects that leave their node.
#include "terrane/thread/spawn_anywhere.hpp"

#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/thread_program.hpp"

namespace terrane {
namespace spawn_anywhere_test {

struct word {
  std::string text;
  long count = 0;
};
void terrane_pack(packing& into, const word& one) { into(one.text, one.count); }
void terrane_unpack(unpacking& from, word& one) { from(one.text, one.count); }

namespace {

class objects_anywhere : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, objects_anywhere, small_machines(), machine_name);

using counts = std::map<std::string, word>;
std::pair<counts, std::uint32_t> count(const std::vector<std::string>& all) {
  counts found;
  for (const auto& each : all) {
    found[each].text = each;
    ++found[each].count;
  }
  return {found, terrane_node_of(terrane_here->number)};
}

TEST_P(objects_anywhere, arrive_whole_and_come_back_whole) {
  expect([](faults& wrong) {
    std::vector<future<std::pair<counts, std::uint32_t>>> all;
    for (std::size_t i = 0; i < 400; ++i)
      all.push_back(
          spawn_anywhere<count>(std::vector<std::string>{"a", std::string(i * 50, 'x'), "a"}));
    std::vector<int> on_node(terrane_nodes());
    for (std::size_t i = 0; i < 400; ++i) {
      const auto [found, node] = all[i].join();
      wrong.unless(found.at("a").count == 2 && found.at("a").text == "a");
      wrong.unless(found.at(std::string(i * 50, 'x')).count == 1 && found.size() == 2);
      ++on_node[node];
    }
  });
}

std::vector<bool> flags(std::optional<int> n, const std::array<std::string, 2>& texts) {
  if (!n) throw std::out_of_range("no number");
  return std::vector<bool>(texts[0].size(), *n % 2 == 1);
}

TEST_P(objects_anywhere, throw_what_left_the_function) {
  expect([](faults& wrong) {
    std::vector<future<std::vector<bool>>> all;
    for (int i = 0; i < 100; ++i)
      all.push_back(spawn_anywhere(flags, i % 10 == 0 ? std::optional<int>() : i,
                                   std::array<std::string, 2>{"abc", ""}));
    int failed = 0;
    for (int i = 0; i < 100; ++i) try {
        const auto found = all[static_cast<std::size_t>(i)].join();
        wrong.unless(found == std::vector<bool>(3, i % 2 == 1));
      } catch (const std::exception& why) {
        failed += std::string(why.what()).find("no number") != std::string::npos;
      }
    wrong.unless(failed == 10);
  });
}

long plus_one(long n) { return n + 1; }
void nothing(const std::string&) {}

TEST_P(objects_anywhere, may_be_plain_values_and_return_nothing) {
  expect([](faults& wrong) {
    wrong.unless(spawn_anywhere<plus_one>(1).join() == 2);
    std::vector<future<void>> all;
    for (int i = 0; i < 50; ++i) all.push_back(spawn_anywhere(nothing, "text"));
    for (auto& each : all) each.join();
    { auto dropped = spawn_anywhere(nothing, "text"); }
    const auto size = [](const std::string& text) { return text.size(); };
    wrong.unless(spawn_anywhere(size, std::string("four")).join() == 4);
  });
}

/// A thread that sleeps lets others take what it has spawned.
TEST(objects_anywhere_alone, run_on_other_nodes) {
  run_options four;
  four.world = "sim";
  four.nodes = 4;
  four.balancer = "rand";
  int count_of_faults = -1;
  run_machine<in_a_thread>(four, &count_of_faults, thread_code{[](faults& wrong) {
                             std::vector<future<std::pair<counts, std::uint32_t>>> all;
                             for (int i = 0; i < 64; ++i)
                               all.push_back(spawn_anywhere<count>(std::vector{std::string("b")}));
                             this_thread::sleep_for(10'000'000'000);
                             int elsewhere = 0;
                             for (auto& each : all) elsewhere += each.join().second != 0;
                             wrong.unless(elsewhere > 0);
                           }});
  EXPECT_EQ(count_of_faults, 0);
}

}  // namespace
}  // namespace spawn_anywhere_test
}  // namespace terrane
