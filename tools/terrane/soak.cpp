// SPDX-License-Identifier: Apache-2.0
// soak.cpp: terrane soak: runs one program in world sim with many seeds, on varied machines.
//
// Method      Each run is a process of its own, and as many run at a time as this process may use
//             processors; they are judged in the order of their seeds. Options that are not given
//             are drawn from its seed: nodes 1 to 32, processors 1 or 2, balancer, enough, faults.
//             Each run must have the same exit code, stdout, tokens and fibers as the first. In a
//             build with rare branches (base/rare.hpp) some run must have taken each of them.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "terrane/balance/table.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/machine/worlds.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

using steady = std::chrono::steady_clock;

constexpr const char* usage =
    "usage: terrane soak [--minutes M | --runs N] [OPTIONS] PROGRAM [ARGS...]\n\n"
    "Runs PROGRAM under world sim with one seed after the other, from --seed on (100\n"
    "runs unless told otherwise). Nodes, processors, balancer, enough and faults differ\n"
    "from run to run unless they are given; exit code, stdout, tokens and fibers must\n"
    "not: a program that does different things on different machines needs --nodes and\n"
    "--processors. At the first run that fails or differs: the command that repeats\n"
    "it, and exit code 1.\n"
    "In a build with rare branches (-DTERRANE_RARE_COMMON=ON) `rare` is one of the\n"
    "faults that differ, and a branch that no run took is a failure too.\n";
constexpr std::chrono::seconds run_time_max{60};

struct soak_options {
  double minutes = 0;
  std::uint64_t runs = 100;
  words rest;
};

/// Reads --minutes and --runs, which come before all other words.
result<soak_options> read_soak_options(const words& arguments) {
  soak_options read;
  auto next = arguments.begin();
  for (; next != arguments.end(); ++next) {
    const std::string name = next->substr(0, next->find('='));
    if (name != "--minutes" && name != "--runs") break;
    std::string value;
    if (name.size() < next->size())
      value = next->substr(name.size() + 1);
    else if (++next != arguments.end())
      value = *next;
    else
      return error{name + " needs a value (see terrane soak --help)"};
    const char* end = value.data() + value.size();
    if (name == "--runs") {
      const auto got = std::from_chars(value.data(), end, read.runs);
      if (got.ec != std::errc() || got.ptr != end || read.runs == 0)
        return error{fmt::format("--runs needs a whole number from 1 up, not '{}'", value)};
      read.minutes = 0;
    } else {
      const auto got = std::from_chars(value.data(), end, read.minutes);
      if (got.ec != std::errc() || got.ptr != end || !(read.minutes > 0 && read.minutes <= 1e6))
        return error{
            fmt::format("--minutes needs a number above 0, up to 1000000, not '{}'", value)};
    }
  }
  read.rest.assign(next, arguments.end());
  return read;
}

bool is_given(const words& own, std::string_view name) {
  return std::any_of(own.begin(), own.end(), [&](const std::string& word) {
    return word.substr(0, word.find('=')) == name;
  });
}

fault_options some_faults(random_stream& dice) {
  const auto rate = [&](double most) {
    return dice.below(2) == 0 ? 0 : std::round(most * dice.below(1000)) / 1000;
  };
  fault_options faults;
  faults.delay = rate(0.5);
  faults.heavy = rate(0.05);
  faults.reorder = rate(0.5);
  faults.slow = rate(0.3);
  faults.pause = rate(0.01);
  faults.late = rate(0.5);
  if (rare_common) faults.rare = rate(0.3);
  return faults;
}

/// The machine of one run. Options that are not given are drawn from its seed.
run_options shape_of(std::uint64_t seed, const run_options& base, const words& own) {
  random_stream dice(seed, 0x736f616bu);
  run_options options = base;
  options.world = simulated_world().name;
  options.seed = seed;
  options.quiet = true;
  if (!is_given(own, "--nodes")) options.nodes = 1 + static_cast<int>(dice.below(32));
  if (!is_given(own, "--processors")) options.processors = 1 + static_cast<int>(dice.below(2));
  if (!is_given(own, "--balancer"))
    options.balancer = balancers()[dice.below(static_cast<std::uint32_t>(balancers().size()))].name;
  if (!is_given(own, "--enough") && dice.below(3) == 0)
    options.enough = static_cast<int>(dice.below(8));
  if (!is_given(own, "--faults")) options.faults = some_faults(dice);
  return options;
}

struct one_run {
  int code = 0;  // below 0: minus the signal that ended the run
  bool timed_out = false;
  std::string output, errors;
  std::uint64_t tokens = 0, fibers = 0;
  std::map<std::string, std::uint64_t> probes;  // counts of the rare branches

  std::string ending() const {
    if (timed_out) return fmt::format("did not end within {} s", run_time_max.count());
    if (code < 0) return fmt::format("was ended by signal {} ({})", -code, strsignal(-code));
    return fmt::format("ended with exit code {}", code);
  }
};

[[noreturn]] void become(const std::string& path, const words& command, const std::string& options,
                         int out, int err) {
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  setenv(options_variable, options.c_str(), 1);
  words copy = command;
  std::vector<char*> argv;
  for (std::string& word : copy) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  fmt::print(stderr, "cannot start {}: {}\n", path, std::strerror(errno));
  _exit(127);
}

/// Reads both pipes to their ends; false if that takes too long.
bool read_all(std::array<int, 2> ends, std::array<std::string*, 2> into) {
  const auto until = steady::now() + run_time_max;
  std::array<pollfd, 2> watched{{{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}}};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - steady::now());
    if (left.count() <= 0) return false;
    poll(watched.data(), watched.size(), static_cast<int>(left.count()));
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(watched[i].fd, buffer, sizeof buffer);
      if (got > 0)
        into[i]->append(buffer, static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR)
        watched[i].fd = -1;
    }
  }
  return true;
}

/// The offset of the last line of stderr, which holds the counts.
std::size_t last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t before = end == text.npos ? end : text.rfind('\n', end);
  return before == text.npos ? 0 : before + 1;
}

void read_counts(one_run& run) {
  const std::size_t at = last_line(run.errors);
  const auto json = nlohmann::json::parse(run.errors.substr(at), nullptr, false);
  if (!json.is_object()) return;
  run.tokens = json.value("tokens_generated", std::uint64_t{0});
  run.fibers = json.value("fibers_executed", std::uint64_t{0});
  run.probes = json.value("probes", run.probes);
  run.errors.resize(at);
}

result<one_run> execute(const std::string& path, const words& command, const run_options& options) {
  words given = repeating_options(options);
  given.insert(given.end(), {"--quiet", "--stats", "json"});
  const std::string handed_on = join_words(given);
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    return error{fmt::format("no pipe for the next run: {}", std::strerror(errno))};
  const pid_t child = fork();
  if (child < 0) return error{fmt::format("no process for the next run: {}", std::strerror(errno))};
  if (child == 0) become(path, command, handed_on, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  one_run run;
  run.timed_out = !read_all({out[0], err[0]}, {&run.output, &run.errors});
  if (run.timed_out) kill(child, SIGKILL);
  close(out[0]);
  close(err[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  read_counts(run);
  return run;
}

/// The difference between this run and the first; empty if there is none.
std::string difference(const one_run& first, const one_run& run) {
  if (run.timed_out || run.code != first.code)
    return fmt::format("it {}, the first one {}", run.ending(), first.ending());
  if (run.output != first.output) return "it printed something else than the first one";
  if (run.tokens != first.tokens || run.fibers != first.fibers)
    return fmt::format("it had {} tokens and {} fibers, the first one {} and {}", run.tokens,
                       run.fibers, first.tokens, first.fibers);
  return "";
}

/// The error of the run; empty if there is none.
std::string complaint(const std::optional<one_run>& first, const one_run& run) {
  if (first) return difference(*first, run);
  return run.timed_out || run.code < 0 || run.code > 120 ? "it " + run.ending() : "";
}

/// The rare branches that no run took; empty if all were taken or there are no probes.
std::string never_reached(const std::map<std::string, std::uint64_t>& probes) {
  std::string names;
  for (const auto& [name, count] : probes)
    if (count == 0) names += (names.empty() ? "" : ", ") + name;
  return names;
}

int report(const std::string& why, const one_run& run, const run_options& options,
           const words& command) {
  words repeat{"terrane", "run"};
  const words given = repeating_options(options);
  repeat.insert(repeat.end(), given.begin(), given.end());
  repeat.insert(repeat.end(), command.begin(), command.end());
  std::fputs(run.errors.c_str(), stderr);
  std::puts(
      fmt::format("seed {}: {}\nto repeat it: {}", options.seed, why, join_words(repeat)).c_str());
  return 1;
}

/// Runs with one seed after the other, several at a time.
class seeds_under_way {
 public:
  seeds_under_way(const std::string& path, const parsed_options& parsed, const words& own)
      : path_(path), parsed_(parsed), own_(own) {}

  struct made {
    run_options options;
    result<one_run> run;
  };
  /// The run of the next seed, when it has ended. wanted: so many more, itself among them; others
  /// begin meanwhile, one for each processor.
  made next(std::uint64_t wanted) {
    const std::uint64_t processors = std::max(1u, std::thread::hardware_concurrency());
    while (begun_.size() < std::min(wanted, processors)) begin();
    made first{begun_.front().options, begun_.front().run.get()};
    begun_.pop_front();
    return first;
  }

 private:
  struct one {
    run_options options;
    std::future<result<one_run>> run;
  };
  void begin() {
    const run_options options = shape_of(parsed_.options.seed + seeds_++, parsed_.options, own_);
    begun_.push_back({options, std::async(std::launch::async, execute, std::cref(path_),
                                          std::cref(parsed_.rest), options)});
  }

  const std::string& path_;
  const parsed_options& parsed_;
  const words& own_;
  std::uint64_t seeds_ = 0;
  std::deque<one> begun_;  // by seed
};

int soak(const soak_options& soaking, const std::string& path, const parsed_options& parsed,
         const words& own) {
  const auto began = steady::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(steady::now() - began).count(); };
  std::optional<one_run> first;
  std::map<std::string, std::uint64_t>
      probes;  // summed over the runs in which they could be reached
  double said = 0;
  std::uint64_t runs = 0;
  const auto over = [&] {
    return soaking.minutes > 0 ? elapsed() >= 60 * soaking.minutes : runs >= soaking.runs;
  };
  seeds_under_way seeds(path, parsed, own);
  for (; runs == 0 || !over(); ++runs) {
    const std::uint64_t left = soaking.minutes > 0 ? ~std::uint64_t{0} : soaking.runs - runs;
    // The first one shows whether the program can be run at all.
    const auto [options, run] = seeds.next(runs == 0 ? 1 : left);
    if (!run) return refuse(run.problem());
    if (!first && run.value().code == exit_usage) {  // the program refused its arguments
      std::fputs(run.value().errors.c_str(), stderr);
      return exit_usage;
    }
    const std::string why = complaint(first, run.value());
    if (!why.empty()) return report(why, run.value(), options, parsed.rest);
    if (!first) first = run.value();
    if (options.faults.rare > 0)
      for (const auto& [name, count] : run.value().probes) probes[name] += count;
    if (!parsed.options.quiet && elapsed() - said >= 5) {
      said = elapsed();
      std::fputs(fmt::format("terrane: {} runs in {:.0f} s\n", runs + 1, said).c_str(), stderr);
    }
  }
  if (const std::string missed = never_reached(probes); !missed.empty()) {
    std::puts(
        fmt::format("in {} run{} from seed {} on, these rare branches were never reached: {}; "
                    "make more runs, or take a program that spawns more",
                    runs, runs == 1 ? "" : "s", parsed.options.seed, missed)
            .c_str());
    return 1;
  }
  std::puts(fmt::format("{} run{} from seed {} on, all the same: {}, {} tokens, {} fibers", runs,
                        runs == 1 ? "" : "s", parsed.options.seed, first->ending(), first->tokens,
                        first->fibers)
                .c_str());
  return 0;
}

}  // namespace

int soak_command(const words& arguments) {
  const auto soaking = read_soak_options(arguments);
  if (!soaking) return refuse(soaking.problem());
  const auto environment = environment_options({});
  if (!environment) return refuse(environment.problem());
  const auto parsed = parse_options(soaking.value().rest, environment.value().options, usage);
  for (const char* late : {"--minutes", "--runs"})
    if (!parsed && is_given(soaking.value().rest, late))
      return refuse(fmt::format("{} stands before the other options of soak", late));
  if (!parsed) return refuse(parsed.problem());
  if (!parsed.value().help.empty()) {
    std::fputs(parsed.value().help.c_str(), stdout);
    return 0;
  }
  const words& command = parsed.value().rest;
  if (command.empty())
    return refuse(
        "soak needs a program: terrane soak [OPTIONS] PROGRAM [ARGS...], for instance "
        "terrane soak --runs 20 fib 15");
  words own = environment.value().own;
  own.insert(own.end(), parsed.value().own.begin(), parsed.value().own.end());
  if (is_given(own, "--world") && parsed.value().options.world != simulated_world().name)
    return refuse(
        fmt::format("soak runs under world {} only: leave --world out", simulated_world().name));
  for (const char* file : {"--log", "--stats"})
    if (is_given(own, file))
      return refuse(fmt::format("soak takes no {}: repeat a single run for that", file));
  const auto path = locate_program(command[0]);
  if (!path) return refuse(path.problem());
  return soak(soaking.value(), path.value(), parsed.value(), own);
}

}  // namespace terrane
