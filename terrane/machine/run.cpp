// SPDX-License-Identifier: Apache-2.0
// run.cpp: terrane_run: from a program's command line to its exit code.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "terrane/core/failure.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/progress.hpp"

namespace terrane {

namespace {

int wrong_usage(const std::string& sentence) {
  std::fprintf(stderr, "terrane: %s\n", sentence.c_str());
  return exit_usage;
}

/// Options from the environment (what `terrane run` was told), then from the head of argv.
result<parsed_options> read_options(int argc, char** argv) {
  const std::string program = argc > 0 ? argv[0] : "program";
  run_options options;
  if (const char* given = std::getenv(options_variable)) {
    auto parsed = parse_options(split_words(given), options, "");
    if (!parsed) return error{std::string(options_variable) + ": " + parsed.problem()};
    options = parsed.value().options;
  }
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return parse_options(words, options, program + " [OPTIONS] [ARGS...]: a Terrane program");
}

/// How many processors, and on which cores.
struct placement {
  std::vector<int> cpu_of_processor;
  bool one_core_each = true;
};

result<placement> place(run_options& options) {
  const cpu_view view = this_machine();
  const int asked = options.processors * options.nodes;
  const cpu_budget budget = resolve_cpu_budget(view, asked);
  if (options.processors == 0) options.processors = std::max(1, budget.processors / options.nodes);
  const int all = options.processors * options.nodes;
  if (all > local_processors_max)
    return error{"--nodes " + std::to_string(options.nodes) + " of " +
                 std::to_string(options.processors) + " processors are " + std::to_string(all) +
                 " threads: world local takes up to " + std::to_string(local_processors_max)};
  if (!options.quiet && options.statistics == statistics_form::text)
    std::fprintf(stderr, "terrane: %s\n", budget.sentence.c_str());
  sharing_signs signs = read_sharing_signs(view, budget);
  signs.processors = all;
  const pinning_decision pinning =
      decide_pinning(options.pinning, signs, [] { return read_topology(affinity_cpus()); });
  return placement{pinning.cpu_of_processor, all <= budget.allowed};
}

/// True if the statistics could be written.
bool report(const run_options& options, const run_statistics& statistics) {
  if (options.statistics == statistics_form::text) {
    std::fputs(to_text(statistics).c_str(), stderr);
  } else if (options.statistics == statistics_form::json && options.statistics_file.empty()) {
    std::fprintf(stderr, "%s\n", to_json(statistics).c_str());
  } else if (options.statistics == statistics_form::json) {
    std::ofstream file(options.statistics_file);
    file << to_json(statistics) << '\n';
    if (!file.flush()) {
      std::fprintf(stderr, "terrane: could not write the statistics to %s; here they are:\n%s\n",
                   options.statistics_file.c_str(), to_json(statistics).c_str());
      return false;
    }
  }
  return true;
}

int run_program(int argc, char** argv, const terrane_function& root) {
  auto parsed = read_options(argc, argv);
  if (!parsed) return wrong_usage(parsed.problem());
  if (!parsed.value().help.empty()) {
    std::fputs(parsed.value().help.c_str(), stdout);
    return 0;
  }
  run_options options = parsed.value().options;
  auto placed = place(options);
  if (!placed) return wrong_usage(placed.problem());
  auto made = machine::make(options, placed.value().cpu_of_processor, placed.value().one_core_each);
  if (!made) return wrong_usage(made.problem());
  machine& whole = *made.value();

  std::vector<char*> words{argv, argv + (argc > 0 ? 1 : 0)};
  for (std::string& word : parsed.value().rest) words.push_back(word.data());
  words.push_back(nullptr);
  const terrane_root_args args{static_cast<int>(words.size()) - 1, words.data()};

  run_outcome outcome;
  {
    std::optional<progress> watching;
    if (!options.quiet && isatty(STDERR_FILENO)) watching.emplace(whole);
    outcome = whole.run(root, &args);
  }
  std::fflush(stdout);
  if (outcome.deadlock)
    std::fputs(describe_deadlock(outcome.left).c_str(), stderr);
  else if (!options.quiet)
    std::fputs(describe_leftovers(outcome.left, outcome.tokens_left).c_str(), stderr);
  const bool reported = report(options, outcome.statistics);
  return reported || outcome.exit_code != 0 ? outcome.exit_code : 1;
}

}  // namespace

}  // namespace terrane

int terrane_run(int argc, char** argv, const terrane_function* root) {
  return terrane::run_program(argc, argv, *root);
}
