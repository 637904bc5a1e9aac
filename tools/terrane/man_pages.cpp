// SPDX-License-Identifier: Apache-2.0
// man_pages.cpp: the man pages of the command and of its subcommands with options.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "terrane/machine/worlds.hpp"
#include "tools/terrane/pages.hpp"
#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

/// `text` as roff: no word of it means anything to the formatter.
std::string roff(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '\\')
      safe += "\\e";
    else if (letter == '-')
      safe += "\\-";
    else if ((letter == '.' || letter == '\'') && (safe.empty() || safe.back() == '\n'))
      safe += std::string("\\&") + letter;
    else
      safe += letter;
  }
  return safe;
}

std::string head_of(const std::string& name, std::string_view summary) {
  std::string upper = name;
  for (char& letter : upper)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return fmt::format(".TH {} 1 \"\" \"Terrane {}\" \"Terrane\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                     TERRANE_VERSION, roff(name), roff(summary));
}

std::string entry(const std::string& term, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(text));
}

std::string worlds_text() {
  std::string text;
  for (const world_row* each : worlds())
    text += entry(std::string(each->name), one_paragraph(each->nodes_are));
  return text;
}

constexpr std::string_view exit_status =
    ".SH EXIT STATUS\nThe program's own; 2 for wrong options, 121 for a deadlock, 122 for an error "
    "at run time, 123 for a lost node. One sentence on the standard error says more.\n";

std::string whole_command() {
  std::string text =
      head_of("terrane", "runs fine-grain multithreaded programs") +
      ".SH SYNOPSIS\n.B terrane\n.I SUBCOMMAND\n.RI [ ARGUMENTS ]\n.SH DESCRIPTION\n"
      "Runs fine-grain multithreaded programs on this machine or a simulated one, and moves their "
      "work to where there is room.\n.SH SUBCOMMANDS\n";
  for (const subcommand& each : subcommands())
    text += entry(each.arguments.empty() ? std::string(each.name)
                                         : fmt::format("{} {}", each.name, each.arguments),
                  std::string(each.summary));
  return text +
         ".SH ENVIRONMENT\n.TP\n.B TERRANE_OPTIONS\nOptions of a run; those of the command line "
         "win.\n" +
         std::string(exit_status) +
         ".SH SEE ALSO\n.BR terrane\\-run (1),\n.BR terrane\\-cc (1),\n.BR terrane\\-new (1),\n"
         ".BR terrane\\-soak (1)\n";
}

std::string of_subcommand(const subcommand& which) {
  std::string text = head_of(fmt::format("terrane-{}", which.name), which.summary);
  text += fmt::format(".SH SYNOPSIS\n.B terrane {}\n{}\n.SH DESCRIPTION\nIt {}.\n.SH OPTIONS\n",
                      roff(which.name), roff(which.arguments), roff(which.summary));
  for (const option_row& each : options_of(which)) text += entry(term_of(each), meaning_of(each));
  text += entry("-h, --help", "print the options and exit");
  if (which.takes_run_options) text += ".SH WORLDS\n" + worlds_text() + std::string(exit_status);
  return text + ".SH SEE ALSO\n.BR terrane (1)\n";
}

/// What the compiler says of itself; empty if it was not built.
std::string help_of_compiler() {
  const std::filesystem::path own = own_folder();
  const std::string compiler = (own / "terrane-cc").string();
  if (own.empty() || !std::filesystem::exists(compiler)) return "";
  const std::unique_ptr<FILE, int (*)(FILE*)> said(
      popen(fmt::format("'{}' --help", compiler).c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> part;
  while (said && std::fgets(part.data(), part.size(), said.get())) text += part.data();
  return text;
}

std::string of_compiler(const std::string& help) {
  return head_of("terrane-cc", "compiles Threaded-C and C") +
         ".SH SYNOPSIS\n.B terrane cc\n[OPTIONS] FILES...\n.br\n.B terrane\\-cc\n[OPTIONS] "
         "FILES...\n.SH DESCRIPTION\n.nf\n" +
         roff(help) + ".fi\n.SH SEE ALSO\n.BR terrane (1)\n";
}

}  // namespace

std::vector<page> man_pages() {
  std::vector<page> all{{"man/terrane.1", whole_command()}};
  for (const subcommand& each : subcommands())
    if (!options_of(each).empty())
      all.push_back({fmt::format("man/terrane-{}.1", each.name), of_subcommand(each)});
  if (const std::string help = help_of_compiler(); !help.empty())
    all.push_back({"man/terrane-cc.1", of_compiler(help)});
  return all;
}

}  // namespace terrane
