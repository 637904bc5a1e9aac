// SPDX-License-Identifier: Apache-2.0
// pages.hpp: what the man pages, docs/options.md and the completions of shells have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/terrane/command.hpp"

namespace terrane {

struct page {
  std::string name;  // below the folder that is written
  std::string text;
};

std::vector<page> man_pages();
std::vector<page> completions();
/// The page docs/options.md.
std::string options_page();

/// Without line ends, and without a colon at the end.
std::string one_paragraph(std::string_view lines);
/// The option and its value.
std::string term_of(const option_row& option);
/// What the option does, and in which worlds.
std::string meaning_of(const option_row& option);
/// The options of a subcommand, its own first.
std::vector<option_row> options_of(const subcommand& which);
/// The words that the value of an option may be, separated by blanks; empty: any.
std::string choices_of(const option_row& option);
/// The words that may follow a subcommand's options; empty: any.
std::string operands_of(const subcommand& which);
bool takes_files(const subcommand& which);

}  // namespace terrane
