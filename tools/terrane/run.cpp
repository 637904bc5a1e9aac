// SPDX-License-Identifier: Apache-2.0
// run.cpp: terrane run: checks the options, passes them on in TERRANE_OPTIONS and replaces this
// process by the program.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "terrane/machine/balancer_file.hpp"
#include "terrane/machine/executable_file.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

constexpr const char* usage =
    "usage: terrane run [OPTIONS] PROGRAM [ARGS...]\n\n"
    "Runs PROGRAM, and says at the end on stderr what it did. PROGRAM is one that\n"
    "comes with Terrane (see terrane programs) or the path of your own, such as\n"
    "./prog; ARGS are its own.\n";

constexpr const char* more =
    "\nExamples:\n"
    "  terrane run fib 30\n"
    "  terrane run queens --help       what queens takes\n"
    "  terrane run --nodes 4 --balancer spn fib 30\n"
    "  terrane run --nodes 2 --processors 1 --stats json=run.json ./prog\n"
    "\nExit code: the program's; 2 for wrong options, 121 for a deadlock, 122 for an\n"
    "error at run time; stderr then says more.\n";

/// The file that the program is to record its events in; empty: none.
std::string trace_of(const run_options& options) {
  if (!options.trace_file.empty() || options.report_file.empty()) return options.trace_file;
  return options.report_file + ".trace";
}

/// The words that are passed to the program: as they were given, in the order in which they count.
/// The name of a file is made absolute, since the program may start in another folder.
result<std::string> words_to_hand_on(const words& environment, const parsed_options& parsed) {
  words all{"--stats", "text"};
  all.insert(all.end(), environment.begin(), environment.end());
  all.insert(all.end(), parsed.own.begin(), parsed.own.end());
  const auto add_file = [&](const char* option, const std::string& name) -> result<void> {
    if (name.empty()) return {};
    std::error_code wrong;
    const auto file = std::filesystem::absolute(name, wrong);
    if (wrong) return error{"cannot tell which folder this is: " + wrong.message()};
    all.push_back(option + file.string());
    return {};
  };
  if (auto added = add_file("--stats=json=", parsed.options.statistics_file); !added)
    return error{added.problem()};
  if (auto added = add_file("--log=", parsed.options.log_file); !added)
    return error{added.problem()};
  if (auto added = add_file("--balance-log=", parsed.options.balance_log); !added)
    return error{added.problem()};
  if (auto added = add_file("--trace=", trace_of(parsed.options)); !added)
    return error{added.problem()};
  all.emplace_back("--report=");  // is made here
  const balancer_place own = place_of_balancer(parsed.options.balancer);
  if (auto added = add_file("--balancer=", own.path); !added) return error{added.problem()};
  if (!own.path.empty()) all.back() += own.rest;
  const std::string& of_ropes = parsed.options.rope_balancer;
  if (auto added = add_file("--rope-balancer=", place_of_balancer(of_ropes).path); !added)
    return error{added.problem()};
  return join_words(all);
}

/// Executes the program in this process. Returns only if the program could not be started.
int become(const std::string& path, const words& command) {
  words copy = command;
  std::vector<char*> argv;
  for (std::string& word : copy) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  const int problem = errno;
  std::string hint;
  if (problem == ENOEXEC) hint = " (was it built for this machine?)";
  if (problem == ENOENT) hint = " (the interpreter or loader that it names is missing)";
  return refuse(fmt::format("cannot start {}: {}{}", path, std::strerror(problem), hint));
}

/// Runs `child` in a process of its own, and returns its exit code, as a shell would.
template <class Child>
int wait_for(Child&& child) {
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process == 0) std::_Exit(child());
  if (process < 0) return refuse(fmt::format("cannot start a process: {}", std::strerror(errno)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int run_command(const words& arguments) {
  run_options defaults;
  defaults.statistics = statistics_form::text;
  const auto environment = environment_options(defaults);
  if (!environment) return refuse(environment.problem());
  const auto parsed = parse_options(arguments, environment.value().options, usage);
  if (!parsed) return refuse(parsed.problem());
  if (!parsed.value().help.empty()) {
    std::fputs((parsed.value().help + more).c_str(), stdout);
    return 0;
  }
  const words& command = parsed.value().rest;
  if (command.empty())
    return refuse(
        "run needs a program: terrane run [OPTIONS] PROGRAM [ARGS...], for instance "
        "terrane run fib 30 (see terrane programs)");
  if (command[0].starts_with("-"))
    return refuse(fmt::format("there is no option {} (see terrane run --help)", command[0]));
  const listed_program* listed = find_listed_program(command[0]);
  if (listed && command.size() == 2 && (command[1] == "--help" || command[1] == "-h")) {
    std::fputs(help_of_program(*listed).c_str(), stdout);
    return 0;
  }
  const auto path = locate_program(command[0]);
  if (!path) return refuse(path.problem());
  if (!may_hold_runtime(path.value()))
    return refuse(
        fmt::format("{} is no Terrane program: it is not linked with the runtime, so no "
                    "option would reach it (one that starts a Terrane program is run "
                    "directly, with the options in {})",
                    path.value(), options_variable));
  const auto handed_on = words_to_hand_on(environment.value().own, parsed.value());
  if (!handed_on) return refuse(handed_on.problem());
  if (setenv(options_variable, handed_on.value().c_str(), 1) != 0)
    return refuse(fmt::format("cannot hand the options on: {}", std::strerror(errno)));
  const run_options& options = parsed.value().options;
  if (options.report_file.empty()) return become(path.value(), command);
  const int code = wait_for([&] { return become(path.value(), command); });
  constexpr int misused = 2;  // then there was no run
  if (code == misused) return code;
  const int reported = make_report(trace_of(options), options.report_file);
  return code != 0 ? code : reported;
}

}  // namespace terrane
