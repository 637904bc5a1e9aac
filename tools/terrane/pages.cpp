// SPDX-License-Identifier: Apache-2.0
// pages.cpp: terrane pages: writes the man pages, the page docs/options.md and the completions of
// shells. All come from the tables that the command itself reads: subcommands, options, programs,
// balancers, networks.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "terrane/balance/table.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/transport/network.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/pages.hpp"
#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

namespace fs = std::filesystem;

std::string_view name_in(const world_row* row) { return row->name; }
template <class Row>
std::string_view name_in(const Row& row) {
  return row.name;
}

/// The names in a table, separated by blanks.
template <class Rows>
std::string names_in(const Rows& rows) {
  std::string text;
  for (const auto& each : rows) text += fmt::format("{}{}", text.empty() ? "" : " ", name_in(each));
  return text;
}

}  // namespace

std::string one_paragraph(std::string_view lines) {
  std::string text(lines);
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  if (text.ends_with(':')) text.pop_back();  // a list follows, elsewhere on the page
  return text;
}

std::string term_of(const option_row& option) {
  return option.value.empty() ? std::string(option.name)
                              : fmt::format("{} {}", option.name, option.value);
}

std::string meaning_of(const option_row& option) {
  return option.worlds.empty() ? one_paragraph(option.text)
                               : option.worlds + ": " + one_paragraph(option.text);
}

std::vector<option_row> options_of(const subcommand& which) {
  std::vector<option_row> all(which.own_options.begin(), which.own_options.end());
  if (which.takes_run_options)
    for (option_row& each : option_rows()) all.push_back(std::move(each));
  return all;
}

std::string choices_of(const option_row& option) {
  if (option.name == "--balancer") return names_in(balancers());
  if (option.name == "--network") return names_in(network_presets());
  if (option.name == "--world") return names_in(worlds());
  return std::string(option.choices);
}

std::string operands_of(const subcommand& which) {
  if (which.arguments.find("PROGRAM") != which.arguments.npos) return names_in(listed_programs());
  if (which.name == "balancers") return names_in(balancers());
  if (which.name == "networks") return names_in(network_presets());
  if (which.name == "help") return names_in(subcommands());
  return "";
}

bool takes_files(const subcommand& which) {
  if (which.takes_run_options) return true;
  for (const std::string_view file : {"FILES", "FOLDER", "LOG", "TRACE"})
    if (which.arguments.find(file) != which.arguments.npos) return true;
  return false;
}

namespace {

result<void> write_page(const fs::path& folder, const page& which) {
  const fs::path file = folder / which.name;
  std::error_code wrong;
  fs::create_directories(file.parent_path(), wrong);
  std::ofstream out(file);
  out << which.text;
  out.close();
  if (out && !wrong) return {};
  return error{fmt::format("cannot write {}", file.string())};
}

}  // namespace

int pages_command(const words& arguments) {
  if (arguments.size() != 1 || arguments[0].starts_with("-"))
    return refuse("pages takes the folder to write into: terrane pages FOLDER");
  std::vector<page> all = man_pages();
  for (page& each : completions()) all.push_back(std::move(each));
  all.push_back({"options.md", options_page()});
  for (const page& each : all)
    if (const auto written = write_page(arguments[0], each); !written) {
      refuse(written.problem());
      return 1;
    }
  return 0;
}

}  // namespace terrane
