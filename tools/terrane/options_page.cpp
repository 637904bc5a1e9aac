// SPDX-License-Identifier: Apache-2.0
// options_page.cpp: the page docs/options.md.
#include <fmt/format.h>

#include "terrane/machine/worlds.hpp"
#include "tools/terrane/pages.hpp"

namespace terrane {

namespace {

/// `text` in a cell of a table.
std::string cell(std::string_view text) {
  std::string safe;
  for (const char letter : text)
    if (letter == '|')
      safe += "\\|";
    else
      safe += letter;
  return safe;
}

std::string table_of(const std::vector<option_row>& options) {
  std::string text = "| option | what it does | worlds |\n|---|---|---|\n";
  for (const option_row& each : options)
    text += fmt::format("| `{}` | {} | {} |\n", cell(term_of(each)), cell(one_paragraph(each.text)),
                        each.worlds.empty() ? "all" : each.worlds);
  return text;
}

}  // namespace

std::string options_page() {
  std::string text =
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Options\n\n"
      "`terrane pages FOLDER` writes this page, the man pages and the completions of shells from "
      "the tables\nthat the command reads. Options of a run stand before the program's name, or in "
      "the environment\nvariable `TERRANE_OPTIONS`; those of the command line win.\n\n"
      "## Options of a run\n\n" +
      table_of(option_rows()) + "\n| world | nodes are |\n|---|---|\n";
  for (const world_row* each : worlds())
    text += fmt::format("| `{}` | {} |\n", each->name, cell(one_paragraph(each->nodes_are)));
  text += "\n## Subcommands\n\n| subcommand | what it does |\n|---|---|\n";
  for (const subcommand& each : subcommands())
    text += fmt::format("| `terrane {}{}{}` | {} |\n", each.name, each.arguments.empty() ? "" : " ",
                        cell(each.arguments), cell(each.summary));
  for (const subcommand& each : subcommands())
    if (!each.own_options.empty())
      text += fmt::format("\n## Options of `terrane {}`\n\n{}{}", each.name,
                          table_of({each.own_options.begin(), each.own_options.end()}),
                          each.takes_run_options ? "\nOptions of a run follow these.\n" : "");
  return text;
}

}  // namespace terrane
