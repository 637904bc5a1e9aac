// SPDX-License-Identifier: Apache-2.0
// output_file_test.cpp: tests what happens to a file that is to receive a run's statistics.
#include "terrane/machine/output_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace terrane {
namespace {

class output_file_at : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "terrane_output_file_" + test->name();
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string content() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string path_;
};

TEST_F(output_file_at, keeps_what_it_held_until_the_new_text_is_there) {
  std::ofstream(path_) << "the result of an earlier run";
  {
    auto file = output_file::open(path_);
    ASSERT_TRUE(file);
    EXPECT_EQ(content(), "the result of an earlier run");
    EXPECT_TRUE(file.value().replace("new\n"));
  }
  EXPECT_EQ(content(), "new\n");
  ASSERT_TRUE(output_file::open(path_)) << "and closed without a text it stays";
  EXPECT_EQ(content(), "new\n");
}

TEST_F(output_file_at, that_cannot_be_made_is_a_sentence) {
  EXPECT_EQ(output_file::open("/no_such_folder/x").problem(),
            "cannot write /no_such_folder/x: No such file or directory");
  EXPECT_EQ(output_file::open("/").problem(), "cannot write /: Is a directory");
}

TEST_F(output_file_at, that_is_full_is_a_sentence) {
  auto file = output_file::open("/dev/full");
  ASSERT_TRUE(file);
  EXPECT_EQ(file.value().replace("text").problem(),
            "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace terrane
