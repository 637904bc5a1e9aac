// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/build_id.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>

namespace terrane {
namespace {

std::string id_of_bytes(const std::string& bytes) {
  const std::string path = testing::TempDir() + "/build_id_test";
  std::ofstream(path, std::ios::binary) << bytes;
  const auto id = build_id_of_file(path);
  std::remove(path.c_str());
  return id ? id.value() : "problem: " + id.problem();
}

std::string own_bytes() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(build_id, an_executable_and_its_copy_have_the_same) {
  const auto own = own_build_id();
  ASSERT_TRUE(own) << own.problem();
  EXPECT_GE(own.value().size(), 16u);
  EXPECT_LE(own.value().size(), 64u);
  EXPECT_EQ(id_of_bytes(own_bytes()), own.value());
}

TEST(build_id, files_without_one_are_told_apart_by_their_bytes) {
  EXPECT_EQ(id_of_bytes("abc"), id_of_bytes("abc"));
  EXPECT_NE(id_of_bytes("abc"), id_of_bytes("abd"));
  EXPECT_EQ(id_of_bytes("").substr(0, 5), "hash-");
}

TEST(build_id, what_is_no_file_is_named) {
  EXPECT_EQ(build_id_of_file("/nowhere").problem(),
            "/nowhere cannot be read: No such file or directory");
  EXPECT_EQ(build_id_of_file("/").problem(), "/ is no file");
}

TEST(build_id, damaged_files_have_some_id) {
  std::string bytes = own_bytes().substr(0, 4096);
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (int i = 0; i < 4; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::string id = id_of_bytes(damaged);
    EXPECT_FALSE(id.empty() || id.size() > 64) << id;
  }
}

}  // namespace
}  // namespace terrane
