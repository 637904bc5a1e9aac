// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/options.hpp"

#include <gtest/gtest.h>

namespace terrane::compiler {
namespace {

using words = std::vector<std::string>;

driver_options read(const words& line) {
  auto read = read_command_line(line);
  EXPECT_TRUE(read) << (read ? "" : read.problem());
  return read ? std::move(read.value()) : driver_options{};
}
std::string refusal(const words& line) {
  const auto read = read_command_line(line);
  return read ? "" : read.problem();
}

TEST(driver_options, what_clang_must_know_goes_to_it_and_to_the_c_compiler) {
  const driver_options made =
      read({"-Ihere", "-I", "there", "-DA=1", "-U", "B", "-std=c11", "-O2", "-Wall", "x.tc"});
  EXPECT_EQ(made.reading.include_folders, (words{"here", "there"}));
  ASSERT_EQ(made.reading.macros.size(), 2u);
  EXPECT_EQ(made.reading.macros[0].definition, "A=1");
  EXPECT_TRUE(made.reading.macros[1].undefine);
  EXPECT_EQ(made.reading.standard, "c11");
  EXPECT_TRUE(made.reading.optimise);
  EXPECT_EQ(made.for_c, (words{"-Ihere", "-Ithere", "-DA=1", "-UB", "-std=c11", "-O2", "-Wall"}));
}

TEST(driver_options, inputs_are_told_by_their_suffix_and_keep_their_order_with_libraries) {
  const driver_options made = read({"a.tc", "-lm", "b.c", "c.o", "-Lfolder", "d.a"});
  std::vector<std::string> paths;
  for (const input& each : made.inputs) paths.push_back(each.path);
  EXPECT_EQ(paths, (words{"a.tc", "-lm", "b.c", "c.o", "d.a"}));
  EXPECT_EQ(made.inputs[0].kind, input::language::threaded_c);
  EXPECT_EQ(made.inputs[2].kind, input::language::c);
  EXPECT_EQ(made.inputs[3].kind, input::language::other);
  EXPECT_EQ(made.for_linker, (words{"-Lfolder"}));
}

TEST(driver_options, a_language_counts_for_the_files_behind_it) {
  const driver_options made = read({"a.c", "-x", "threaded-c", "b.c", "-", "-xnone", "c.c"});
  std::vector<input::language> kinds;
  for (const input& each : made.inputs) kinds.push_back(each.kind);
  using enum input::language;
  EXPECT_EQ(kinds, (std::vector{c, threaded_c, threaded_c, c}));
}

TEST(driver_options, questions_need_no_input) {
  EXPECT_EQ(read({"-dumpmachine"}).until, stage::c_compiler);
  EXPECT_EQ(read({"-print-file-name=libc.so"}).until, stage::c_compiler);
  EXPECT_EQ(read({"-v"}).until, stage::c_compiler);
}

TEST(driver_options, the_last_word_about_the_stage_and_the_exit_counts) {
  EXPECT_EQ(read({"-S", "-c", "x.tc"}).until, stage::object);
  EXPECT_TRUE(read({"-fstrict-exit", "x.tc"}).reading.strict_exit);
  EXPECT_FALSE(read({"-fstrict-exit", "-fno-strict-exit", "x.tc"}).reading.strict_exit);
}

TEST(driver_options, a_wrong_command_line_is_one_sentence) {
  EXPECT_EQ(refusal({"-o"}), "-o is the last word: its value is missing");
  EXPECT_EQ(refusal({}), "no input: name a .tc, .c, .o or .a file");
  EXPECT_EQ(refusal({"x.tc", "-o", "x.tc"}), "the output x.tc is the source itself");
  EXPECT_EQ(refusal({"-c", "a.tc", "b.tc", "-o", "c.o"}),
            "-o names one file and there are several sources; compile them one at a time");
  EXPECT_NE(refusal({"-"}).find("name a file"), std::string::npos);
  EXPECT_NE(refusal({"-x", "c++", "a.cpp"}).find("threaded-c, c or none"), std::string::npos);
}

}  // namespace
}  // namespace terrane::compiler
