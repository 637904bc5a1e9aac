// SPDX-License-Identifier: Apache-2.0
#include "terrane/cpp/packed_value.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace terrane {
namespace packed_value_test {

struct word {
  std::string text;
  long count = 0;
  bool operator==(const word&) const = default;
};
void terrane_pack(packing& into, const word& one) { into(one.text, one.count); }
void terrane_unpack(unpacking& from, word& one) { from(one.text, one.count); }

namespace {

struct undeclared {
  int rows, columns;
};
static_assert(packable<std::vector<std::pair<int, std::string>>> && packable<word>);
static_assert(packable<std::map<std::string, std::vector<word>>> && packable<std::tuple<>>);
static_assert(!packable<undeclared> && !packable<std::vector<undeclared>>);
static_assert(!packable<std::unique_ptr<int>> && !packable<const int*>);
static_assert(!packable<std::vector<int*>> && !packable<std::optional<undeclared>>);

template <class T>
void there_and_back(const T& value) {
  packing into;
  into(value, 7);
  const auto bytes = into.take();
  unpacking from(bytes.data(), bytes.size());
  T found{};
  int seven = 0;
  from(found, seven);
  EXPECT_EQ(found, value);
  EXPECT_EQ(seven, 7);
  EXPECT_TRUE(from.ended());
}

TEST(packed_value, is_unpacked_as_it_was_packed) {
  there_and_back(std::vector<long>{1, 2, 3});
  there_and_back(std::vector<long>{});
  there_and_back(std::vector<bool>{true, false});
  there_and_back(std::string("text"));
  there_and_back(std::list<std::string>{"a", "", "c"});
  there_and_back(std::deque<word>{{"a", 1}, {"b", 2}});
  there_and_back(std::map<std::string, word>{{"x", {"x", 3}}});
  there_and_back(std::unordered_map<int, std::set<std::string>>{{1, {"p", "q"}}, {2, {}}});
  there_and_back(std::tuple<int, std::string, std::optional<word>>{1, "b", {{"c", 4}}});
  there_and_back(std::pair<std::optional<int>, std::array<std::string, 2>>{{}, {"d", "e"}});
}

TEST(packed_value, that_is_cut_short_is_refused) {
  packing into;
  into(std::vector<int>{1, 2, 3}, std::string("abc"));
  const auto bytes = into.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    unpacking from(bytes.data(), size);
    std::vector<int> numbers;
    std::string text;
    EXPECT_THROW(from(numbers, text), std::length_error) << size;
  }
}

}  // namespace
}  // namespace packed_value_test
}  // namespace terrane
