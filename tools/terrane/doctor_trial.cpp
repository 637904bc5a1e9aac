// SPDX-License-Identifier: Apache-2.0
// doctor_trial.cpp: this machine: its facts, and whether a tiny program runs in each world.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "terrane/machine/options.hpp"
#include "terrane/machine/wording.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/terrane.hpp"
#include "tools/terrane/doctor.hpp"

namespace terrane {

namespace {

constexpr std::chrono::seconds trial_time_max{20};

/// Calls both nodes of the trial, and adds what they say.
struct trial_call : threaded<trial_call> {
  step start(long number, reply<long> to) {
    to.send(number * number);
    return done;
  }
};

struct trial_main : threaded<trial_main> {
  long sum[8];
  join all = on<&trial_main::end>();
  step start(int, char**) {
    for (long i = 0; i < 8; ++i) spawn<trial_call>(i, all.into(sum[i]));
    return await(all);
  }
  step end() {
    long total = 0;
    for (const long each : sum) total += each;
    set_exit_code(total == 140 ? 0 : 1);
    return done;
  }
};

struct trial_outcome {
  int status = 0;
  bool late = false;
  std::string said;  // the last line on stderr
};

/// Runs the trial in a process of its own.
trial_outcome run_trial(const std::string& world) {
  trial_outcome outcome;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {1, false, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDERR_FILENO);
    execl("/proc/self/exe", "terrane", "doctor", "--trial", world.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  const auto until = std::chrono::steady_clock::now() + trial_time_max;
  for (char part[512];;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    pollfd input{ends[0], POLLIN, 0};
    if (left.count() <= 0 || poll(&input, 1, static_cast<int>(left.count())) == 0) {
      outcome.late = true;
      kill(child, SIGKILL);
      break;
    }
    const ssize_t got = read(ends[0], part, sizeof part);
    if (got <= 0) break;
    text.append(part, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  waitpid(child, &outcome.status, 0);
  while (text.ends_with('\n')) text.pop_back();
  outcome.said = text.substr(text.rfind('\n') + 1);
  return outcome;
}

void examine_world(const world_row& world, diagnosis& here) {
  const auto start = std::chrono::steady_clock::now();
  const trial_outcome ended = run_trial(std::string(world.name));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  if (ended.late)
    here.bad(fmt::format("world {}: a run of two nodes did not end in {} s", world.name,
                         trial_time_max.count()),
             "see what the lines above say, then run terrane doctor again");
  else if (ended.status != 0)
    here.bad(fmt::format("world {}: a run of two nodes failed: {}", world.name,
                         ended.said.empty() ? "it said nothing" : one_line(ended.said)),
             "do what that says");
  else
    here.good(fmt::format("world {}: two nodes ran and ended ({} ms)", world.name, took.count()));
}

void examine_ucx(diagnosis& here) {
  const trial_outcome ended = run_trial("ucx");
  const std::string said = "--wire ucx: " + one_line(ended.said);
  if (!ended.late && ended.status == 0)
    here.good(said);
  else if (WIFEXITED(ended.status) && !ended.late)
    here.note(said, "or do without it");
  else
    here.note("--wire ucx: UCX fails on this machine", "see what `ucx_info -d` says of it");
}

}  // namespace

int trial(const std::string& world) {
  const std::string options =
      fmt::format("--world {} --nodes 2 --processors 1 --quiet --stats none", world);
  setenv(options_variable, options.c_str(), 1);
  char name[] = "trial";
  char* arguments[] = {name, nullptr};
  return run<trial_main>(1, arguments);
}

std::vector<diagnosis> examine_this_machine(const doctor_options& options) {
  diagnosis here{fmt::format("this machine, {}", name_of_this_host()), {}};
  here.findings = judge_host(read_host_facts(0), std::max(1, options.nodes), 0, false);
  for (const world_row* each : worlds())
    if (!each->simulated && !each->is_started) examine_world(*each, here);
  examine_ucx(here);
  return {here};
}

}  // namespace terrane
