// SPDX-License-Identifier: Apache-2.0
// run.cpp: terrane_run: from a program's command line to its exit code.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "terrane/core/failure.hpp"
#include "terrane/machine/debug_layout.hpp"
#include "terrane/machine/launch.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/machine/output_file.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/standard_streams.hpp"
#include "terrane/machine/started_anew.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/threaded_c.h"

namespace terrane {

namespace {

int wrong_usage(const std::string& sentence) {
  std::fprintf(stderr, "terrane: %s\n", one_line(sentence).c_str());
  return exit_usage;
}

/// Options from the environment (what `terrane run` was told), then from the head of argv.
result<parsed_options> read_options(int argc, char** argv) {
  const auto given = environment_options({});
  if (!given) return given;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::string program = argc > 0 ? argv[0] : "PROGRAM";
  return parse_options(words, given.value().options,
                       "usage: " + program + " [OPTIONS] [ARGS...]\n\n" +
                           "Runs this Terrane program. ARGS are its own.\n");
}

/// What belongs to a simulated machine and would be ignored elsewhere.
result<void> require_sim(const run_options& options) {
  if (options.world == "sim") return {};
  fault_options of_sim = options.faults;
  of_sim.rare = 0;
  const char* name = options.network != run_options().network ? "--network"
                     : !options.log_file.empty()              ? "--log"
                     : to_text(of_sim) != "none"              ? "--faults"
                                                              : nullptr;
  if (!name) return {};
  return error{fmt::format("{} is for simulated machines, and this is world {}: add --world sim",
                           name, options.world)};
}

/// How many processors, and on which cores.
struct placement {
  std::vector<int> cpu_of_processor;
  bool one_core_each = true;
  std::string sentence;  // how many, and why
};

result<placement> place(run_options& options) {
  if (options.world == "sim") {
    options.processors = std::max(1, options.processors);
    const int simulated = options.processors * options.nodes;
    if (simulated > processors_max)
      return error{fmt::format("--nodes {} of {} processors are {}: a machine has up to {}",
                               options.nodes, options.processors, simulated, processors_max)};
    return placement{{}, true, fmt::format("machine: simulated, network {}", options.network)};
  }
  const cpu_view view = this_machine();
  const int asked = options.processors * options.nodes;
  const cpu_budget budget = resolve_cpu_budget(view, asked);
  if (options.processors == 0) options.processors = std::max(1, budget.processors / options.nodes);
  const int all = options.processors * options.nodes;
  const int most = options.world == "shm" ? shm_processors_max : local_processors_max;
  if (all > most)
    return error{fmt::format(
        "--nodes {} with {} processors each are {} threads: world {} takes up to {}, so ask for "
        "fewer nodes or --processors",
        options.nodes, options.processors, all, options.world, most)};
  sharing_signs signs = read_sharing_signs(view, budget);
  signs.processors = all;
  const pinning_decision pinning =
      decide_pinning(options.pinning, signs, [] { return read_topology(affinity_cpus()); });
  std::string sentence = budget.sentence;
  if (all != budget.processors)
    sentence += fmt::format("; {} nodes of {}: {} in all", options.nodes, options.processors, all);
  return placement{pinning.cpu_of_processor, all <= budget.allowed, sentence};
}

/// True if the statistics could be written.
bool report(const run_options& options, const run_statistics& statistics, output_file* file) {
  if (options.statistics == statistics_form::text) {
    std::fputs(to_text(statistics).c_str(), stderr);
  } else if (options.statistics == statistics_form::json && !file) {
    std::fprintf(stderr, "%s\n", to_json(statistics).c_str());
  } else if (options.statistics == statistics_form::json) {
    const auto written = file->replace(to_json(statistics) + '\n');
    if (written) return true;
    std::fprintf(stderr,
                 "terrane: the statistics are lost to their file (%s); here they are:\n%s\n",
                 one_line(written.problem()).c_str(), to_json(statistics).c_str());
    return false;
  }
  return true;
}

/// The command that makes a simulated run go the same way again. A program without a folder in its
/// name was started by `terrane run`.
std::string repeating_command(const std::string& program, const parsed_options& parsed) {
  if (parsed.options.world != "sim") return "";
  const bool by_path = program.find('/') != program.npos;
  std::vector<std::string> words{program};
  const auto options = repeating_options(parsed.options);
  words.insert(words.end(), options.begin(), options.end());
  if (!by_path) {
    std::rotate(words.begin(), words.begin() + 1, words.end());
    words.insert(words.begin(), {"terrane", "run"});
  } else if (!parsed.rest.empty() && parsed.rest[0].starts_with("-")) {
    words.emplace_back("--");
  }
  words.insert(words.end(), parsed.rest.begin(), parsed.rest.end());
  return join_words(words);
}

/// Every node in this process.
result<run_outcome> run_here(const run_options& options, const placement& placed,
                             const terrane_function& root, const terrane_root_args& args) {
  auto made = machine::make(options, placed.cpu_of_processor, placed.one_core_each);
  if (!made) return error{made.problem()};
  std::optional<progress> watching;
  if (is_progress_wanted(options)) watching.emplace(*made.value());
  return made.value()->run(root, &args);
}

/// A process a node. argv: for nodes that start the program anew.
result<run_outcome> run_on_nodes(const run_options& options, const placement& placed,
                                 const terrane_function& root, const terrane_root_args& args,
                                 char** argv) {
  const node_main as_node = [&](shm_job& job, const node_process& mine) {
    if (options.layout == node_layout::same) return run_node(job, mine, options, root, args);
    return refuse_node(mine.node, start_anew(job, mine, argv).text);
  };
  return launch(options, placed.cpu_of_processor, placed.one_core_each, as_node);
}

/// The exit code, once it is said what was left.
int judge_leftovers(const run_options& options, const run_outcome& outcome, bool strict) {
  if (strict && outcome.exit_code == 0 && outcome.left.frames != 0) {
    std::fputs(describe_leftovers(outcome.left, outcome.tokens_left, "error").c_str(), stderr);
    return exit_run_time_error;
  }
  if (!options.quiet)
    std::fputs(describe_leftovers(outcome.left, outcome.tokens_left, "warning").c_str(), stderr);
  return outcome.exit_code;
}

int run_program(int argc, char** argv, const terrane_function& root, bool strict) {
  keep_debug_layout();
  hold_closed_streams();
  auto parsed = read_options(argc, argv);
  if (!parsed) return wrong_usage(parsed.problem());
  if (!parsed.value().help.empty()) {
    std::fputs(parsed.value().help.c_str(), stdout);
    return 0;
  }
  run_options options = parsed.value().options;
  if (const auto fitting = require_sim(options); !fitting) return wrong_usage(fitting.problem());
  std::vector<char*> words{argv, argv + (argc > 0 ? 1 : 0)};
  for (std::string& word : parsed.value().rest) words.push_back(word.data());
  words.push_back(nullptr);
  const terrane_root_args args{static_cast<int>(words.size()) - 1, words.data()};
  terrane_publish_arguments(args.argc, args.argv);
  if (options.world == "shm") {
    auto mine = this_node_started_anew();
    if (!mine) return wrong_usage(mine.problem());
    if (auto& node = mine.value()) std::exit(run_node(node->job, node->mine, options, root, args));
  }
  auto placed = place(options);
  if (!placed) return wrong_usage(placed.problem());
  std::optional<output_file> file;
  if (!options.statistics_file.empty()) {
    auto opened = output_file::open(options.statistics_file);
    if (!opened)
      return wrong_usage("--stats json=FILE: " + opened.problem() + "; choose another FILE");
    file.emplace(std::move(opened).value());
  }
  if (argc > 0) options.repeated_by = repeating_command(argv[0], parsed.value());
  auto ran = options.world == "shm" ? run_on_nodes(options, placed.value(), root, args, argv)
                                    : run_here(options, placed.value(), root, args);
  if (!ran) return wrong_usage(ran.problem());
  run_outcome& outcome = ran.value();
  const bool printed = flush_output() && outcome.output_arrived;
  if (outcome.deadlock)
    std::fputs(describe_deadlock(outcome.left).c_str(), stderr);
  else
    outcome.exit_code = judge_leftovers(options, outcome, strict);
  if (outcome.exit_code != 0 && outcome.exit_code != exit_usage && !options.repeated_by.empty())
    std::fprintf(stderr, "terrane: to repeat this run: %s\n", options.repeated_by.c_str());
  if (outcome.exit_code == exit_node_lost) return exit_node_lost;  // there is nothing to count
  if (outcome.exit_code == exit_usage && options.statistics == statistics_form::text)
    return exit_usage;  // the program refused its arguments and said why: let that be the last word
  if (!options.quiet && options.statistics == statistics_form::text)
    std::fprintf(stderr, "terrane: %s\n", placed.value().sentence.c_str());
  const bool reported = report(options, outcome.statistics, file ? &*file : nullptr);
  return (printed && reported) || outcome.exit_code != 0 ? outcome.exit_code : 1;
}

}  // namespace

}  // namespace terrane

int terrane_run(int argc, char** argv, const terrane_function* root) {
  return terrane::run_program(argc, argv, *root, false);
}
int terrane_run_strictly(int argc, char** argv, const terrane_function* root) {
  return terrane::run_program(argc, argv, *root, true);
}
