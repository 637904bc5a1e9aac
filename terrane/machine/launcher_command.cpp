// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/launcher_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "terrane/base/check.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

namespace {

constexpr std::string_view host_mark = "{host}", command_mark = "{command}";

bool holds(std::span<const std::string> words, std::string_view mark) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.find(mark) != word.npos; });
}

/// Whatever a value holds, it is not looked at again.
std::string filled(std::string_view word, const std::string& host, const std::string& command) {
  std::string text;
  while (!word.empty()) {
    if (word.starts_with(host_mark)) {
      text += host;
      word.remove_prefix(host_mark.size());
    } else if (word.starts_with(command_mark)) {
      text += command;
      word.remove_prefix(command_mark.size());
    } else {
      text += word[0];
      word.remove_prefix(1);
    }
  }
  return text;
}

}  // namespace

launcher_command::launcher_command()
    // No question may be asked, since nobody may be there to answer; no terminal, so that bytes
    // arrive as they are; the name is no option even if it looked like one.
    : words_{"ssh",
             "-T",
             "-x",
             "-o",
             "BatchMode=yes",
             "-o",
             "ConnectTimeout=10",
             "--",
             std::string(host_mark),
             std::string(command_mark)} {}

result<launcher_command> launcher_command::parse(std::string_view text) {
  launcher_command made;
  if (text == "ssh") return made;
  made.words_.clear();
  made.printed_ = text == "print";
  if (made.printed_) return made;
  auto words = split_words(text);
  if (!words) return error{fmt::format("is not understood: {}", words.problem())};
  made.words_ = std::move(words).value();
  if (!holds(made.words_, command_mark))
    return error{
        fmt::format("takes ssh, print, or a command with {{host}} and {{command}} in it, "
                    "as in 'ssh -p 2222 {{host}} {{command}}', not '{}'",
                    one_line(text))};
  if (made.words_.front().find('{') != std::string::npos)
    return error{
        fmt::format("needs a program before {{host}} and {{command}}, not '{}'", one_line(text))};
  return made;
}

std::vector<std::string> launcher_command::words_for(const std::string& host,
                                                     const std::string& command) const {
  TERRANE_CHECK(!printed_);
  std::vector<std::string> words;
  for (const std::string& each : words_) words.push_back(filled(each, host, command));
  return words;
}

std::string quoted_for_shell(std::string_view word) {
  const auto is_plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || (letter != 0 && std::strchr("_-./,:+@%", letter));
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

namespace {

std::string variables_text(std::span<const std::pair<std::string, std::string>> variables) {
  std::string text;
  if (!variables.empty()) text += " env";
  for (const auto& [name, value] : variables)
    text += fmt::format(" {}", quoted_for_shell(name + "=" + value));
  return text;
}

}  // namespace

std::string shell_command(const std::string& directory,
                          std::span<const std::pair<std::string, std::string>> variables,
                          std::span<const std::string> words) {
  std::string text;
  if (!directory.empty()) text += fmt::format("cd {} && ", quoted_for_shell(directory));
  text += "exec" + variables_text(variables);
  for (const std::string& each : words) text += fmt::format(" {}", quoted_for_shell(each));
  return text;
}

/// The program deletes the file when it has begun; if it does not come to that, the traps do.
/// `head` reads no byte more than it writes.
std::string copying_command(const std::string& directory,
                            std::span<const std::pair<std::string, std::string>> variables,
                            std::span<const std::string> words, std::uint64_t program_bytes) {
  std::string text = fmt::format(
      "umask 077; f=$(mktemp \"${{TMPDIR:-/tmp}}/terrane.XXXXXXXX\") && "
      "trap 'rm -f \"$f\"' EXIT && trap 'exit 1' HUP INT TERM && "
      "head -c {} >\"$f\" && chmod 700 \"$f\" && "
      "{{ cd {} 2>/dev/null || cd; }} && {}=\"$f\"{} \"$f\"",
      program_bytes, quoted_for_shell(directory), copy_variable, variables_text(variables));
  for (const std::string& each : words.subspan(1))
    text += fmt::format(" {}", quoted_for_shell(each));
  return text;
}

}  // namespace terrane
