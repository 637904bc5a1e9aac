// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/launcher_command.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>

namespace terrane {
namespace {

using word_list = std::vector<std::string>;

TEST(launcher_commands, ssh_is_the_default) {
  const launcher_command by_default, named = launcher_command::parse("ssh").value();
  const word_list expected{"ssh", "-T", "-x",    "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
                           "--",  "a",  "run it"};
  EXPECT_EQ(by_default.words_for("a", "run it"), expected);
  EXPECT_EQ(named.words_for("a", "run it"), expected);
  EXPECT_EQ(named.program(), "ssh");
  EXPECT_FALSE(named.is_printed());
}

TEST(launcher_commands, a_template_is_split_into_words_before_it_is_filled) {
  const auto made = launcher_command::parse("docker exec -i 'box {host}' sh -c {command}").value();
  EXPECT_EQ(made.words_for("a b", "x 'y' {host}"),
            (word_list{"docker", "exec", "-i", "box a b", "sh", "-c", "x 'y' {host}"}));
  EXPECT_EQ(launcher_command::parse("rsh {host} {command}").value().program(), "rsh");
  EXPECT_EQ(launcher_command::parse("sh -c {command}").value().words_for("a", "b"),
            (word_list{"sh", "-c", "b"}));
}

TEST(launcher_commands, print_starts_nothing) {
  const auto made = launcher_command::parse("print").value();
  EXPECT_TRUE(made.is_printed());
  EXPECT_EQ(made.program(), "");
}

TEST(launcher_commands, nonsense_is_one_sentence) {
  for (const char* const text : {"", " ", "rsh", "shh", "rsh {host}", "rsh {Command}", "{command}",
                                 "{host} {command}", "rsh 'x {command}", "PRINT"}) {
    const auto made = launcher_command::parse(text);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.problem().find('\n'), std::string::npos);
  }
  EXPECT_EQ(launcher_command::parse("rsh").problem(),
            "takes ssh, print, or a command with {host} and {command} in it, as in 'ssh -p 2222 "
            "{host} {command}', not 'rsh'");
}

TEST(launcher_commands, what_runs_on_a_host_is_quoted) {
  const std::pair<std::string, std::string> variables[] = {{"A", "1"}, {"B", "x y"}};
  const word_list program{"/opt/x y/prog", "--nodes", "2", "", "it's", "$HOME"};
  EXPECT_EQ(shell_command("/home/me/my work", variables, program),
            "cd '/home/me/my work' && exec env 'A=1' 'B=x y' '/opt/x y/prog' --nodes 2 '' "
            "'it'\\''s' '$HOME'");
  EXPECT_EQ(shell_command("", {}, word_list{"true"}), "exec true");
}

std::string output_of(const std::string& command) {
  FILE* const from = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 256> part;
  while (const std::size_t got = fread(part.data(), 1, part.size(), from))
    text.append(part.data(), got);
  pclose(from);
  return text;
}

TEST(launcher_commands, a_real_shell_reads_every_word_back) {
  std::mt19937 random(5);
  const std::string letters = "ab'\"\\$`!*?[]{}()<>|&;#~ \t\n=%^-";
  for (int round = 0; round < 60; ++round) {
    std::string word = "x";
    for (unsigned i = random() % 12; i > 0; --i) word += letters[random() % letters.size()];
    EXPECT_EQ(output_of(shell_command("/", {}, word_list{"printf", "%s", word})), word);
  }
}

TEST(launcher_commands, a_program_is_copied_and_reads_what_follows_it) {
  const std::string script = "#!/bin/sh\nread line; printf '%s|' \"$line\" \"$A\" \"$1\"; exit 7\n";
  const std::pair<std::string, std::string> variables[] = {{"A", "x y"}};
  const std::string command =
      copying_command("/nowhere", variables, word_list{"/opt/prog", "it's"}, script.size());
  EXPECT_EQ(output_of("d=$(mktemp -d); export TMPDIR=$d; printf %s " +
                      quoted_for_shell(script + "secret\n") + " | sh -c " +
                      quoted_for_shell(command) + "; echo $?; ls $d; rmdir $d"),
            "secret|x y|it's|7\n");
}

}  // namespace
}  // namespace terrane
