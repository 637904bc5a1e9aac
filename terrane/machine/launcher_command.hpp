// SPDX-License-Identifier: Apache-2.0
// launcher_command.hpp: the command that starts something on a host.
//
// Purpose     ssh by default; any other by a template, such as
//               'docker exec -i {host} sh -c {command}'
//             which is split into words as a shell does, and run without a shell; or `print`, where
//             a person starts what is printed.
// Invariants  {command} is one argument: a line for a POSIX shell in which every word is quoted, so
//             that no letter of a file's name or of an argument means anything to the shell.
//             Nothing secret is in it: that goes through the command's standard input.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

class launcher_command {
 public:
  /// ssh.
  launcher_command();

  /// The value of --launcher. An error completes "--launcher ...".
  static result<launcher_command> parse(std::string_view text);

  /// Whether people start what is to run.
  bool is_printed() const { return printed_; }

  /// Its first word: what must be installed here. Empty for `print`.
  std::string program() const { return words_.empty() ? "" : words_.front(); }

  /// The words to execute, so that `command` runs on the host. Not for `print`.
  std::vector<std::string> words_for(const std::string& host, const std::string& command) const;

 private:
  std::vector<std::string> words_;  // with {host} and {command}
  bool printed_ = false;
};

/// One word as a POSIX shell reads it back, whatever it holds.
std::string quoted_for_shell(std::string_view word);

/// What a shell is to run on a host: in that directory (an absolute path), with these variables,
/// these words. The shell becomes the program.
std::string shell_command(const std::string& directory,
                          std::span<const std::pair<std::string, std::string>> variables,
                          std::span<const std::string> words);

/// The same for a program that is not there: the shell first reads that many bytes of it from its
/// standard input, into a file that nobody else can read, whose path copy_variable tells the
/// program, and deletes the file at the end. The first of the words is not used. Where there is no
/// such directory, it runs at home.
inline constexpr const char* copy_variable = "TERRANE_COPY";
std::string copying_command(const std::string& directory,
                            std::span<const std::pair<std::string, std::string>> variables,
                            std::span<const std::string> words, std::uint64_t program_bytes);

}  // namespace terrane
