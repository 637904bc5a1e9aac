// SPDX-License-Identifier: Apache-2.0
// completions.cpp: the completions of bash, zsh and fish.
#include <fmt/format.h>

#include "tools/terrane/pages.hpp"

namespace terrane {

namespace {

bool names_a_file(const option_row& option) {
  return option.value == "FILE" || option.name == "--balancer" ||
         option.name == "--rope-balancer" || option.name == "--network" || option.value == "DIR" ||
         option.value == "FOLDER";
}

std::string names_of_subcommands() {
  std::string all;
  for (const subcommand& each : subcommands()) all += std::string(each.name) + ' ';
  return all + "--help --version";
}

std::string names_of(const std::vector<option_row>& options) {
  std::string all;
  for (const option_row& each : options) all += std::string(each.name) + ' ';
  return all + "--help";
}

std::string bash() {
  std::string values, rests;
  for (const subcommand& each : subcommands()) {
    std::string cases;
    for (const option_row& option : options_of(each)) {
      if (option.value.empty()) continue;
      cases += fmt::format("        {}) choices='{}'; files={}; value=yes ;;\n", option.name,
                           choices_of(option), names_a_file(option) ? "yes" : "no");
    }
    if (!cases.empty())
      values +=
          fmt::format("    {})\n      case $before in\n{}      esac\n      ;;\n", each.name, cases);
    rests += fmt::format("    {}) options='{}'; choices='{}'; files={} ;;\n", each.name,
                         names_of(options_of(each)), operands_of(each),
                         takes_files(each) ? "yes" : "no");
  }
  return fmt::format(
      R"(# bash completion of terrane; written by `terrane pages`
_terrane() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local choices='' options='' files=no value=no
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$word")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $value == no ]]; then
    case ${{COMP_WORDS[1]}} in
{}    *) files=yes ;;
    esac
    if [[ $word == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
      return
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
  if [[ $files == yes ]]; then
    local -a found
    mapfile -t found < <(compgen -f -- "$word")
    COMPREPLY+=("${{found[@]}}")
  fi
}}
complete -o filenames -F _terrane terrane
)",
      names_of_subcommands(), values, rests);
}

/// Within single quotes, where brackets and colons mean something to zsh.
std::string in_zsh(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '\'')
      safe += "'\\''";
    else if (letter == '[' || letter == ']' || letter == ':' || letter == '\\')
      safe += std::string("\\") + letter;
    else
      safe += letter;
  }
  return safe;
}

std::string zsh_values(const std::string& choices, bool files) {
  if (choices.empty()) return files ? "_files" : "";
  const std::string given = fmt::format("({})", choices);
  return files ? fmt::format("{{_alternative \"files::_files\" \"names::{}\"}}", given) : given;
}

std::string zsh() {
  std::string names, rests;
  for (const subcommand& each : subcommands()) {
    names += fmt::format("        '{}:{}'\n", each.name, in_zsh(each.summary));
    std::string words;
    for (const option_row& option : options_of(each)) {
      words += fmt::format(" \\\n          '{}[{}]", option.name, in_zsh(meaning_of(option)));
      if (!option.value.empty())
        words += fmt::format(":{}:{}", in_zsh(option.value),
                             zsh_values(choices_of(option), names_a_file(option)));
      words += '\'';
    }
    words += fmt::format(" \\\n          '*:argument:{}'",
                         zsh_values(operands_of(each), takes_files(each)));
    rests += fmt::format("        {}) _arguments{} ;;\n", each.name, words);
  }
  return fmt::format(R"(#compdef terrane
# zsh completion of terrane; written by `terrane pages`
_terrane() {{
  local context state state_descr line
  typeset -A opt_args
  _arguments -C '(- *)--help[print the help]' '(- *)--version[print the version]' \
    '1:subcommand:->subcommand' '*::argument:->rest'
  case $state in
    subcommand)
      local -a names=(
{}      )
      _describe subcommand names
      ;;
    rest)
      case $words[1] in
{}      esac
      ;;
  esac
}}
_terrane "$@"
)",
                     names, rests);
}

std::string in_fish(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') safe += '\\';
    safe += letter;
  }
  return safe;
}

std::string fish() {
  std::string text =
      "# fish completion of terrane; written by `terrane pages`\ncomplete -c terrane -f\n"
      "complete -c terrane -n __fish_use_subcommand -l help -d 'print the help'\n"
      "complete -c terrane -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const subcommand& each : subcommands()) {
    text += fmt::format("complete -c terrane -n __fish_use_subcommand -a {} -d '{}'\n", each.name,
                        in_fish(each.summary));
    const std::string here =
        fmt::format("complete -c terrane -n '__fish_seen_subcommand_from {}'", each.name);
    if (takes_files(each)) text += here + " -F\n";
    if (const std::string operands = operands_of(each); !operands.empty())
      text += fmt::format("{} -a '{}'\n", here, operands);
    for (const option_row& option : options_of(each)) {
      const bool is_long = option.name.starts_with("--");
      text += fmt::format("{} {} {} -d '{}'", here, is_long ? "-l" : "-s",
                          option.name.substr(is_long ? 2 : 1), in_fish(meaning_of(option)));
      if (!option.value.empty()) text += names_a_file(option) ? " -r -F" : " -x";
      if (const std::string choices = choices_of(option); !choices.empty())
        text += fmt::format(" -a '{}'", choices);
      text += '\n';
    }
  }
  return text;
}

}  // namespace

std::vector<page> completions() {
  return {{"completions/bash/terrane", bash()},
          {"completions/zsh/_terrane", zsh()},
          {"completions/fish/terrane.fish", fish()}};
}

}  // namespace terrane
