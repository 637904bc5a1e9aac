// SPDX-License-Identifier: Apache-2.0
// run.cpp: terrane_run: from a program's command line to its exit code.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "terrane/c/mpi/calls.h"
#include "terrane/core/failure.hpp"
#include "terrane/machine/debug_layout.hpp"
#include "terrane/machine/live_socket.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/mpi_launch.hpp"
#include "terrane/machine/output_file.hpp"
#include "terrane/machine/placement.hpp"
#include "terrane/machine/run_watch.hpp"
#include "terrane/machine/standard_streams.hpp"
#include "terrane/machine/trace_start.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/talk/mpi/mpi_program.hpp"
#include "terrane/thread/thread.hpp"
#include "terrane/threaded_c.h"

namespace terrane {

namespace {

int wrong_usage(const std::string& sentence) {
  if (!speaks_for_the_run()) {
    let_rank_0_speak();
    return exit_usage;
  }
  std::fprintf(stderr, "terrane: %s\n", one_line(sentence).c_str());
  return exit_usage;
}

/// strict: Threaded-C's rules for what is left at the end hold. mpi: main runs once in each rank.
enum class program_form { usual, strict, mpi };

/// Options from the environment (set by `terrane run`), then from the start of argv. The arguments
/// of an MPI program are its own.
result<parsed_options> read_options(int argc, char** argv, program_form form) {
  auto given = environment_options({.world = std::string(default_world().name)});
  if (!given) return given;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (form == program_form::mpi) {
    given.value().rest = words;
    return given;
  }
  const std::string program = argc > 0 ? argv[0] : "PROGRAM";
  return parse_options(words, given.value().options,
                       "usage: " + program + " [OPTIONS] [ARGS...]\n\n" +
                           "Runs this Terrane program. ARGS are its own.\n");
}

/// Writes the statistics, if they were asked for. True if that succeeded.
bool report(const run_options& options, const run_statistics& statistics, output_file* file) {
  if (statistics.waits.is_noted) std::fputs(to_text(statistics.waits).c_str(), stderr);
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

/// The command that repeats a simulated run. A program without a folder in its name was started by
/// `terrane run`, which an MPI program needs for its options.
std::string repeating_command(const std::string& program, const parsed_options& parsed,
                              const world_row& world, program_form form) {
  if (!world.simulated) return "";
  const bool by_path = form != program_form::mpi && program.find('/') != program.npos;
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

/// Reports what was left, and returns the exit code.
int judge_leftovers(const run_options& options, const run_outcome& outcome, bool strict) {
  if (strict && outcome.exit_code == 0 && outcome.left.frames != 0) {
    std::fputs(describe_leftovers(outcome.left, outcome.tokens_left, "error").c_str(), stderr);
    return exit_run_time_error;
  }
  if (!options.quiet)
    std::fputs(describe_leftovers(outcome.left, outcome.tokens_left, "warning").c_str(), stderr);
  return outcome.exit_code;
}

int run_program(int argc, char** argv, const terrane_function& root, program_form form) {
  keep_debug_layout();
  hold_closed_streams();
  auto parsed = read_options(argc, argv, form);
  if (!parsed) return wrong_usage(parsed.problem());
  if (!parsed.value().help.empty()) {
    std::fputs(parsed.value().help.c_str(), stdout);
    return 0;
  }
  run_options options = parsed.value().options;
  if (options.ranks != 0 && form != program_form::mpi)
    return wrong_usage(
        "--ranks is for MPI programs, which terrane mpicc links, and this is none: it has nodes "
        "and "
        "processors (--nodes, --processors)");
  if (!options.report_file.empty())
    return wrong_usage(
        "--report is for terrane run, which makes the page when the program has ended: use --trace "
        "FILE here, and then terrane report FILE");
  const auto found = find_world(options.world);
  if (!found) return wrong_usage("--world " + found.problem());
  const world_row& world = *found.value();
  if (const auto fitting = fits_world(options, world); !fitting)
    return wrong_usage(fitting.problem());
  std::vector<char*> words{argv, argv + (argc > 0 ? 1 : 0)};
  for (std::string& word : parsed.value().rest) words.push_back(word.data());
  words.push_back(nullptr);
  const terrane_root_args args{static_cast<int>(words.size()) - 1, words.data()};
  terrane_publish_arguments(args.argc, args.argv);
  const run_order order{options, root, args, argv};
  if (world.join) {
    const auto joined = world.join(order);
    if (!joined) return wrong_usage(joined.problem());
    if (joined.value()) std::exit(*joined.value());
  }
  if (world.complete)
    if (const auto completed = world.complete(options); !completed)
      return wrong_usage(completed.problem());
  auto placed = place(options, world);
  if (!placed) return wrong_usage(placed.problem());
  std::optional<output_file> file;
  if (!options.statistics_file.empty()) {
    auto opened = output_file::open(options.statistics_file);
    if (!opened)
      return wrong_usage("--stats json=FILE: " + opened.problem() + "; choose another FILE");
    file.emplace(std::move(opened).value());
  }
  if (argc > 0) options.repeated_by = repeating_command(argv[0], parsed.value(), world, form);
  if (!options.trace_file.empty())
    if (const auto started = start_trace(options, {words.begin(), words.end() - 1}); !started)
      return wrong_usage(started.problem());
  std::optional<run_watch> watching;
  if (!options.metrics_file.empty() || options.live_port >= 0) {
    auto begun = run_watch::begin(options);
    if (!begun) return wrong_usage(begun.problem());
    watching.emplace(std::move(begun).value());
  }
  auto ran = world.start(order, placed.value());
  if (!ran) return wrong_usage(ran.problem());
  run_outcome& outcome = ran.value();
  if (watching) watching->end(title_of(args), outcome.statistics);
  const bool printed = flush_output() && outcome.output_arrived;
  if (outcome.deadlock)
    std::fputs(describe_deadlock(outcome.left).c_str(), stderr);
  else
    outcome.exit_code = judge_leftovers(options, outcome, form == program_form::strict);
  if (outcome.exit_code != 0 && outcome.exit_code != exit_usage && !options.repeated_by.empty())
    std::fprintf(stderr, "terrane: to repeat this run: %s\n", options.repeated_by.c_str());
  const bool none_reported = outcome.statistics.per_processor.empty();
  if (outcome.exit_code == exit_node_lost || none_reported) return outcome.exit_code;
  // Of a machine of thousands of nodes this text is larger than all that the run needed.
  if (!options.trace_file.empty()) end_trace(options, to_json(outcome.statistics));
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
  return terrane::run_program(argc, argv, *root, terrane::program_form::usual);
}
int terrane_run_strictly(int argc, char** argv, const terrane_function* root) {
  return terrane::run_program(argc, argv, *root, terrane::program_form::strict);
}

int terrane_mpi_run(int argc, char** argv, int (*main)(int, char**), size_t stack_bytes) {
  using namespace terrane;
  if (const auto given = environment_options({})) {
    const run_options& options = given.value().options;
    describe_mpi_program({argc, argv, main,
                          std::max<std::size_t>(stack_bytes, options.stack_kib << 10),
                          options.ranks});
  }  // else run_program says what is wrong
  using root = activation<thread_main<&run_mpi_ranks>, true>;
  return run_program(argc, argv, root::function, program_form::mpi);
}
