// SPDX-License-Identifier: Apache-2.0
// names_test.cpp: error messages show the names that the source uses, with each compiler.
#include "terrane/cpp/names.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

struct names_test_plain {
  int sum() { return 0; }
  int other() const { return 0; }
  void with_arguments(int, names_test_plain*) {}
  void overloaded(int) {}
  void overloaded(long) {}
};

void names_test_function(int) {}

namespace names_test_outer {
template <class T, int N>
struct shaped {
  int run() { return N; }
  struct inner {
    int go() { return 0; }
  };
};
}  // namespace names_test_outer

namespace terrane {
namespace {

struct hidden {
  int sum() { return 0; }
};

void function_in_a_namespace() {}

template <class T>
std::string name_of_type() {
  return std::string(type_name<T>::view);
}
template <auto M>
std::string name_of_function() {
  return std::string(function_name<M>::view);
}

TEST(names, a_type_has_the_name_it_was_given) {
  EXPECT_EQ(name_of_type<names_test_plain>(), "names_test_plain");
  EXPECT_EQ(name_of_type<int>(), "int");
}

TEST(names, a_type_in_an_anonymous_namespace_keeps_its_own_name) {
  EXPECT_TRUE(name_of_type<hidden>().ends_with("::hidden")) << name_of_type<hidden>();
}

TEST(names, a_template_shows_its_arguments) {
  using shaped = names_test_outer::shaped<int, 3>;
  EXPECT_EQ(name_of_type<shaped>(), "names_test_outer::shaped<int, 3>");
  EXPECT_TRUE(name_of_type<shaped::inner>().ends_with("shaped<int, 3>::inner"));
}

TEST(names, a_template_on_an_array_is_not_cut_off) {
  using shaped = names_test_outer::shaped<int[2], 3>;
  const std::string name = name_of_type<shaped>();
  EXPECT_TRUE(name.ends_with(", 3>")) << name;
}

TEST(names, a_member_has_the_name_it_was_given) {
  EXPECT_EQ(name_of_function<&names_test_plain::sum>(), "sum");
  EXPECT_EQ(name_of_function<&names_test_plain::other>(), "other");
  EXPECT_EQ(name_of_function<&names_test_plain::with_arguments>(), "with_arguments");
  EXPECT_EQ(name_of_function<&hidden::sum>(), "sum");
}

TEST(names, a_member_of_a_template_or_of_a_nested_type_has_its_own_name_only) {
  using shaped = names_test_outer::shaped<int, 3>;
  EXPECT_EQ(name_of_function<&shaped::run>(), "run");
  EXPECT_EQ(name_of_function<&shaped::inner::go>(), "go");
  EXPECT_EQ(
      (name_of_function<&names_test_outer::shaped<names_test_outer::shaped<int, 1>, 2>::run>()),
      "run");
}

TEST(names, an_overloaded_member_has_its_name) {
  constexpr void (names_test_plain::*of_int)(int) = &names_test_plain::overloaded;
  EXPECT_EQ(name_of_function<of_int>(), "overloaded");
}

TEST(names, a_member_of_a_local_type_has_its_name) {
  struct local {
    int fetch() { return 0; }
  };
  EXPECT_EQ(name_of_function<&local::fetch>(), "fetch");
  const std::string name = name_of_type<local>();
  EXPECT_TRUE(name.ends_with("local")) << name;
}

TEST(names, a_function_has_its_name) {
  EXPECT_EQ(name_of_function<&names_test_function>(), "names_test_function");
  EXPECT_EQ(name_of_function<&function_in_a_namespace>(), "function_in_a_namespace");
}

TEST(names, the_text_is_the_view_and_a_terminating_zero) {
  EXPECT_STREQ(type_name<names_test_plain>::text.data(), "names_test_plain");
  EXPECT_STREQ(function_name<&names_test_plain::sum>::text.data(), "sum");
  EXPECT_EQ(std::strlen(type_name<hidden>::text.data()), type_name<hidden>::view.size());
}

}  // namespace
}  // namespace terrane
