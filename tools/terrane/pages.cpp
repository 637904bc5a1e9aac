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

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : " ") + each;
  return text;
}

std::string balancer_names() {
  std::vector<std::string> names;
  for (const balancer_entry& each : balancers()) names.emplace_back(each.name);
  return joined(names);
}

std::string network_names() {
  std::vector<std::string> names;
  for (const network_costs& each : network_presets()) names.emplace_back(each.name);
  return joined(names);
}

std::string program_names() {
  std::vector<std::string> names;
  for (const listed_program& each : listed_programs()) names.emplace_back(each.name);
  return joined(names);
}

}  // namespace

std::string one_paragraph(std::string_view lines) {
  std::string text(lines);
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  if (text.ends_with(':')) text.pop_back();  // a list follows, elsewhere on the page
  return text;
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
  if (option.name == "--balancer") return balancer_names();
  if (option.name == "--network") return network_names();
  if (option.name != "--world") return std::string(option.choices);
  std::vector<std::string> names;
  for (const world_row* each : worlds()) names.emplace_back(each->name);
  return joined(names);
}

std::string operands_of(const subcommand& which) {
  if (which.arguments.find("PROGRAM") != which.arguments.npos) return program_names();
  if (which.name == "balancers") return balancer_names();
  if (which.name == "networks") return network_names();
  if (which.name != "help") return "";
  std::vector<std::string> names;
  for (const subcommand& each : subcommands()) names.emplace_back(each.name);
  return joined(names);
}

bool takes_files(const subcommand& which) {
  return which.takes_run_options || which.name == "cc" || which.name == "diff" ||
         which.name == "pages";
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
