// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "compiler/driver/surroundings.hpp"

namespace terrane::compiler {
namespace {

/// The options of terrane-cc, which lies beside the `terrane` that TERRANE_BIN names.
const read_options& options() {
  static const read_options all = [] {
    const char* command = std::getenv("TERRANE_BIN");
    const auto around = find_surroundings({}, std::string(command ? command : "terrane") + "-cc");
    EXPECT_TRUE(around) << (around ? "" : around.problem());
    read_options made;
    made.builtin_headers = around.value().builtin_headers;
    made.system_include_folders = around.value().system_include_folders;
    made.system_include_folders.push_back(around.value().include_folder);
    return made;
  }();
  return all;
}

compilation compiled(const std::string& text) {
  return compile({"text.tc", text, true}, options());
}

constexpr const char* sound = "THREADED MAIN() { FIBER A <* 1 *> { TERMINATE; } }\n";

TEST(compile, a_sound_text_becomes_c_without_a_word) {
  const compilation made = compiled(sound);
  EXPECT_EQ(made.errors, 0u);
  EXPECT_EQ(made.rendered, "");
  EXPECT_NE(made.c.find("MAIN__A"), std::string::npos);
  EXPECT_NE(made.c.find("#line 1 \"text.tc\""), std::string::npos);
}

TEST(compile, a_message_has_its_place_and_its_line_with_a_caret) {
  const compilation made = compiled("THREADED MAIN()\n{\n  return;\n}\n");
  ASSERT_EQ(made.messages.size(), 1u);
  const message& said = made.messages[0];
  EXPECT_EQ(said.level, message::severity::error);
  EXPECT_EQ(said.file, "text.tc");
  EXPECT_EQ(said.line, 3u);
  EXPECT_EQ(said.column, 3u);
  EXPECT_EQ(said.text.rfind("E211: ", 0), 0u);
  EXPECT_NE(made.rendered.find("  return;\n      |   ^"), std::string::npos) << made.rendered;
  EXPECT_EQ(made.c, "");
}

TEST(compile, a_text_that_nests_beyond_all_measure_is_refused_at_its_place) {
  const std::string deep(20'000, '{');
  const compilation made = compiled("THREADED MAIN() {" + deep);
  ASSERT_GT(made.errors, 0u);
  EXPECT_EQ(made.messages[0].file, "text.tc");
  EXPECT_EQ(made.messages[0].line, 1u);
}

TEST(compile, what_breaks_clangs_parser_is_told_with_its_place) {
  // A function where a handle is expected: Clang 19 then dereferences an invalid pointer.
  const compilation made = compiled("THREADED MAIN()\n{\n  int *GLOBAL p = MAIN;\n}\n");
  ASSERT_EQ(made.errors, 1u);
  EXPECT_EQ(made.messages[0].line, 3u);
}

TEST(compile, texts_are_compiled_beside_one_another_and_the_same_each_time) {
  const std::string alone = compiled(sound).c;
  std::vector<compilation> made(4);
  std::vector<std::thread> all;
  for (compilation& each : made) all.emplace_back([&each] { each = compiled(sound); });
  for (std::thread& each : all) each.join();
  for (const compilation& each : made) EXPECT_EQ(each.c, alone);
}

TEST(compile, the_files_that_were_read_are_listed_with_the_source_first) {
  const compilation made = compiled(std::string("#include <stdio.h>\n") + sound);
  ASSERT_FALSE(made.files.empty());
  EXPECT_EQ(made.files[0], "text.tc");
  EXPECT_TRUE(std::any_of(made.system_files.begin(), made.system_files.end(),
                          [](const std::string& each) { return each.ends_with("/stdio.h"); }));
}

}  // namespace
}  // namespace terrane::compiler
