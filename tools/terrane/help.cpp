// SPDX-License-Identifier: Apache-2.0
// help.cpp: the table of subcommands, and the help texts.
#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

const option_row soak_options[] = {
    {"--minutes", "M", "how long to go on, instead of --runs", "", ""},
    {"--runs", "N", "how many runs (default: 100)", "", ""},
};
const option_row trace_options[] = {
    {"--to", "FORM", "what convert makes of it", "perfetto chrome csv openmetrics", ""},
    {"-o", "FILE", "where convert writes it", "", ""},
    {"--from", "SEC", "show begins here", "", ""},
    {"--class", "CLASS", "show prints events of this class", "", ""},
};
const option_row replay_options[] = {
    {"--seeds", "N", "so many runs, from --seed on (default: 1)", "", ""},
    {"--network", "NAME", "of the other machine; unsaid, it is as recorded", "NETWORK", ""},
    {"--nodes", "N", "likewise", "", ""},
    {"--processors", "P", "of each node; likewise", "", ""},
    {"--balancer", "NAME", "likewise", "BALANCER", ""},
    {"--seed", "S", "likewise", "", ""},
    {"--faults", "RATES", "as of a run (default: none)", "", ""},
};
const option_row doctor_options[] = {
    {"--hosts", "HOSTS", "names with commas between them; a:4 takes four nodes", "", ""},
    {"--hostfile", "FILE", "the same in a file, as Open MPI or MPICH has it", "FILE", ""},
    {"--launcher", "HOW", "ssh, or a command with {host} and {command} in it", "ssh", ""},
    {"--nodes", "N", "how many nodes there will be", "", ""},
};
const option_row mpicc_options[] = {
    {"--stack", "KIB", "of each rank's stack (default: 8192)", "", ""},
    {"-show", "", "print the commands, and run none", "", ""},
    {"-Wno-shared-variables", "", "do not say which variables ranks share", "", ""},
};
const option_row new_options[] = {
    {"--lang", "LANGUAGE", "of the program (default: c++)", "c++ threaded-c c python", ""},
    {"--kind", "KIND",
     "what it is made of (default: futures in c++, balancer in\npython, else fibers)",
     "futures fibers threads balancer", ""},
};

const auto table = std::to_array<subcommand>({
    {"run",
     "[OPTIONS] PROGRAM [ARGS...]",
     "runs a program and says what it did",
     run_command,
     {},
     true},
    {"programs", "[PROGRAM]", "lists the programs that come with Terrane", programs_command},
    {"balancers", "[NAME]", "lists the policies that move work, or one", balancers_command},
    {"study", "[NAME] [OPTIONS]", "makes a table or figure of a paper", study_command},
    {"networks", "[NETWORK]", "lists the simulated machines, or one's file", networks_command},
    {"cc", "[OPTIONS] FILES...", "compiles Threaded-C and C, as cc does", cc_command},
    {"mpicc", "[OPTIONS] FILES...", "compiles MPI programs in C, as mpicc does", mpicc_command,
     mpicc_options},
    {"new", "NAME [--lang LANGUAGE] [--kind KIND]", "writes a program to begin with", new_command,
     new_options},
    {"soak", "[OPTIONS] PROGRAM [ARGS...]", "runs a program simulated, seed after seed",
     soak_command, soak_options, true},
    {"pages", "FOLDER", "writes man pages and completions of shells", pages_command},
    {"ps", "[PID]", "lists runs that go on, or the threads of one", ps_command},
    {"top", "[PID] [--once]", "shows once a second what a run does", top_command},
    {"dump", "[PID]", "prints the last events of a run that goes on", dump_command},
    {"trace", "show|convert TRACE ...", "prints a trace, or makes other files of it", trace_command,
     trace_options},
    {"metrics", "TRACE [--metrics LIST]", "prints the load metrics of a trace as CSV",
     metrics_command},
    {"report", "TRACE [-o FILE]", "makes one HTML page that shows what a run did", report_command},
    {"replay", "TRACE [OPTIONS]", "says how long a run would take elsewhere", replay_command,
     replay_options},
    {"diff", "A B", "says where logs, traces or statistics differ", diff_command},
    {"doctor", "[OPTIONS] [PROGRAM]", "says whether a run would start, and why not", doctor_command,
     doctor_options},
    {"help", "[SUBCOMMAND]", "prints this, or the help of one subcommand", help_command},
});

std::string usage_of(const subcommand& which) {
  return fmt::format("{}{}{}", which.name, which.arguments.empty() ? "" : " ", which.arguments);
}

}  // namespace

std::span<const subcommand> subcommands() { return table; }

const subcommand* find_subcommand(std::string_view name) {
  for (const subcommand& each : table)
    if (each.name == name) return &each;
  return nullptr;
}

std::string help_of_all() {
  std::string text =
      "usage: terrane SUBCOMMAND [ARGUMENTS]\n\n"
      "Runs fine-grain multithreaded programs and moves their work to where there is\n"
      "room.\n\n"
      "Subcommands:\n";
  for (const subcommand& each : table)
    text += fmt::format("  {:<32} {}\n", usage_of(each), each.summary);
  return text +
         "\n"
         "Examples:\n"
         "  terrane run --nodes 4 fib 30     fib on four nodes, and what each of them did\n"
         "  terrane run ./prog               a program of your own\n"
         "  terrane run --help               the options of a run\n"
         "  terrane --version                the version\n";
}

int help_of(const subcommand& which) {
  if (which.run == run_command || which.run == soak_command || which.run == cc_command ||
      which.run == doctor_command || which.run == trace_command)
    return which.run({"--help"});
  std::string text = fmt::format("usage: terrane {}\n\nIt {}.\n", usage_of(which), which.summary);
  if (!which.own_options.empty()) text += "\nOptions:\n";
  for (const option_row& each : which.own_options) {
    std::string says(each.text);
    for (std::size_t at = 0; (at = says.find('\n', at)) != says.npos; ++at)
      says.replace(at, 1, "\n" + std::string(20, ' ')), at += 20;
    text += fmt::format("  {:<17} {}\n", fmt::format("{} {}", each.name, each.value), says);
  }
  std::fputs(text.c_str(), stdout);
  return 0;
}

int help_command(const words& arguments) {
  if (arguments.empty()) {
    std::fputs(help_of_all().c_str(), stdout);
    return 0;
  }
  if (arguments.size() > 1)
    return refuse(fmt::format("help takes one subcommand, not also '{}'", arguments[1]));
  const subcommand* which = find_subcommand(arguments[0]);
  return which ? help_of(*which) : refuse_subcommand(arguments[0]);
}

int refuse(std::string_view sentence) {
  std::fprintf(stderr, "terrane: %s\n", one_line(sentence).c_str());
  return 2;
}

int refuse_subcommand(std::string_view word) {
  if (find_listed_program(word) || word.find('/') != word.npos)
    return refuse(
        fmt::format("there is no subcommand '{}'; to run a program: terrane run {}", word, word));
  if (word.starts_with("-"))
    return refuse(fmt::format(
        "there is no option {} here: the options of a run come after the word run, as in "
        "terrane run --nodes 4 fib (see terrane --help)",
        word));
  std::vector<std::string_view> names;
  names.reserve(table.size());
  for (const subcommand& each : table) names.push_back(each.name);
  const std::string_view near = nearest(word, names);
  return refuse(fmt::format("there is no subcommand '{}'{} (see terrane --help)", word,
                            near.empty() ? "" : fmt::format(": did you mean {}?", near)));
}

}  // namespace terrane
