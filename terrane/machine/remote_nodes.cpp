// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/remote_nodes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "terrane/machine/interface_choice.hpp"
#include "terrane/machine/scheduler_hosts.hpp"
#include "terrane/machine/started_anew.hpp"

namespace terrane {

// --- the environment variable ---

std::string to_text(const remote_invitation& what) {
  return fmt::format("{}{}:{}:{}:{}:{}:{}:{}",
                     what.run.guards_agreed ? same_layout_mark : own_layout_mark, what.run.node,
                     what.run.nodes, what.processors, what.spins ? 1 : 0, what.run.watched ? 1 : 0,
                     what.run.launcher.port(), what.run.launcher.host());
}

std::optional<remote_invitation> invitation_of(const std::string& text) {
  const bool same = text.starts_with(same_layout_mark);
  if (!same && !text.starts_with(own_layout_mark)) return {};
  std::array<unsigned, 6> numbers{};
  const char *at = text.data() + std::strlen(same ? same_layout_mark : own_layout_mark),
             *const end = text.data() + text.size();
  for (unsigned& each : numbers) {
    const auto read = std::from_chars(at, end, each);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != ':') return {};
    at = read.ptr + 1;
  }
  const auto [node, nodes, processors, spins, watched, port] = numbers;
  const bool sound = nodes >= 1 && node < nodes && processors >= 1 &&
                     std::uint64_t{nodes} * processors <= processors_max && spins <= 1 &&
                     watched <= 1 && port >= 1 && port <= 0xffff;
  if (!sound) return {};
  auto where = address::find(std::string(at, end), static_cast<std::uint16_t>(port));
  if (!where) return {};
  remote_invitation what;
  what.run.node = node;
  what.run.nodes = nodes;
  what.run.launcher = std::move(where).value();
  what.run.watched = watched == 1;
  what.run.guards_agreed = same;
  what.processors = static_cast<int>(processors);
  what.spins = spins == 1;
  return what;
}

// --- the plan ---

result<void> complete_hosts(run_options& options) {
  if (options.hosts.empty()) {
    auto given = find_scheduler_hosts([](const char* name) { return std::getenv(name); });
    if (!given) return error{given.problem()};
    if (given.value()) options.hosts = std::move(given.value()->hosts);
  }
  if (!options.hosts.empty() && !options.nodes_given) options.nodes = default_nodes(options.hosts);
  return {};
}

int most_nodes_of_a_host(const run_options& options) {
  if (options.hosts.empty()) return options.nodes;
  const auto placed = place_nodes(options.hosts, options.nodes);
  if (!placed) return options.nodes;  // which is an error that plan_remote() tells
  std::vector<int> nodes(options.hosts.size());
  for (const int each : placed.value()) ++nodes[static_cast<std::size_t>(each)];
  return *std::max_element(nodes.begin(), nodes.end());
}

result<remote_plan> plan_remote(const run_options& options) {
  remote_plan plan;
  plan.hosts = options.hosts;
  plan.launcher = options.launcher;
  plan.copies = options.copy;
  if (plan.copies && plan.launcher.is_printed())
    return error{"--copy needs a launcher that carries bytes, not print: leave one of them out"};
  auto placed = place_nodes(plan.hosts, options.nodes);
  if (!placed) return error{placed.problem()};
  plan.host_of_node = std::move(placed).value();
  for (const std::string& each : options.environment) {
    const auto mark = each.find('=');
    const std::string name = each.substr(0, mark);
    const char* const here = std::getenv(name.c_str());
    if (mark != each.npos)
      plan.variables.emplace_back(name, each.substr(mark + 1));
    else if (here)
      plan.variables.emplace_back(name, here);
  }
  if (const char* const handed_on = std::getenv(options_variable))
    plan.variables.emplace_back(options_variable, handed_on);
  return plan;
}

result<remote_plan> plan_anew_here(run_options options) {
  options.hosts = {{.name = name_of_this_host(), .slots = options.nodes}};
  auto shell = launcher_command::parse("sh -c {command}");
  if (!shell) return error{shell.problem()};
  options.launcher = std::move(shell).value();
  return plan_remote(options);
}

result<std::string> address_for(const remote_plan& plan, const std::string& asked) {
  std::vector<std::string> others;
  std::string unknown;
  for (const host& each : plan.hosts) {
    const auto found = address::find(each.address(), 0);
    if (found)
      others.push_back(found.value().host());
    else
      unknown = found.problem();
  }
  if (others.empty() && asked.empty())
    return error{unknown + "; say with --interface where this host listens"};
  const auto all = interfaces_of_this_host();
  auto chosen = choose_interface(all, others, asked);
  if (!chosen) return error{chosen.problem()};
  return chosen.value().interface.address;
}

// --- starting ---

namespace {

constexpr const char* own_program = "/proc/self/exe";

/// Writes all that comes from there. Ends this process if nobody reads it.
void pour(int from, int to) {
  char bytes[65536];
  for (ssize_t got; (got = read(from, bytes, sizeof bytes)) > 0;)
    for (ssize_t at = 0, sent; at < got; at += sent) {
      sent = write(to, bytes + at, static_cast<std::size_t>(got - at));
      if (sent < 0) _exit(0);
    }
}

/// Writes the program if it is to be copied, the secret's line and, for node 0, everything that
/// comes from standard input.
[[noreturn]] void feed(int to, const job_secret& secret, bool with_program, bool with_input) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  if (with_program) {
    const int program = open(own_program, O_RDONLY | O_CLOEXEC);
    if (program < 0) _exit(0);  // or the host would take the secret for a part of the program
    pour(program, to);
  }
  job_secret::line line;
  secret.write(line);
  if (write(to, line.text().data(), line.text().size()) > 0 && with_input) pour(STDIN_FILENO, to);
  _exit(0);
}

/// The child of the launcher has no more to do.
[[noreturn]] void print_and_end(node_id node, const std::string& name, const std::string& command,
                                const job_secret& secret) {
  job_secret::line line;
  secret.write(line);
  std::fprintf(stderr,
               "terrane: run this on %s for node %u, and give it the line after it as its first "
               "line of input:\n%s\n%.*s",
               name.c_str(), node, command.c_str(), static_cast<int>(line.text().size()),
               reinterpret_cast<const char*>(line.text().data()));
  std::fflush(stderr);
  _exit(0);
}

}  // namespace

error start_remote(const remote_plan& plan, const remote_invitation& what, const job_secret& secret,
                   char** argv) {
  char program[PATH_MAX] = "", directory[PATH_MAX] = "";
  if (readlink(own_program, program, sizeof program - 1) < 0 ||
      !getcwd(directory, sizeof directory))
    return error{fmt::format("this directory has no name: {}", std::strerror(errno))};
  std::vector<std::string> words{program};
  for (char** each = argv + 1; argv[0] && *each; ++each) words.emplace_back(*each);
  auto variables = plan.variables;
  variables.emplace_back(node_variable, to_text(what));
  const std::string& name = plan.host_of(what.run.node).name;
  struct stat file{};
  if (plan.copies && stat(own_program, &file) != 0)
    return error{fmt::format("the program cannot be read: {}", std::strerror(errno))};
  const std::string on_host =
      plan.copies ? copying_command(directory, variables, words, std::uint64_t(file.st_size))
                  : shell_command(directory, variables, words);
  if (plan.launcher.is_printed()) print_and_end(what.run.node, name, on_host, secret);
  const auto command = plan.launcher.words_for(name, on_host);
  std::vector<char*> raw;
  for (const std::string& each : command) raw.push_back(const_cast<char*>(each.c_str()));
  raw.push_back(nullptr);
  int input[2];
  if (pipe2(input, O_CLOEXEC) != 0)
    return error{fmt::format("there is no pipe for its input: {}", std::strerror(errno))};
  const pid_t feeder = fork();
  if (feeder == 0) {
    close(input[0]);
    feed(input[1], secret, plan.copies, what.run.node == 0);
  }
  if (feeder < 0) return error{fmt::format("its input has no process: {}", std::strerror(errno))};
  dup2(input[0], STDIN_FILENO);
  close(input[1]);
  execvp(raw[0], raw.data());
  return error{fmt::format("{} could not be started: {}", command[0], std::strerror(errno))};
}

}  // namespace terrane
